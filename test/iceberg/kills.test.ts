import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readPublication, STATE_FILE, tagOf } from '../../src/iceberg/publication-state.ts'
import { publishLake } from '../../src/iceberg/publish.ts'
import { PUBLISHED_TABLES } from '../../src/iceberg/tables.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { HOUR_MS, makeAnswers, openTestLake } from '../maintenance/support/lake.ts'
import { readTable, toPath } from './support/read-publication.ts'

/** The long form: PUBLICATION_KILLS=100. */
const KILLS = Number(process.env['PUBLICATION_KILLS'] ?? 12)

test(
  `killed ${KILLS} times, beside imports, merges and collections, the directory holds one whole publication`,
  async () => {
    const lake = await openTestLake(new Date().toISOString())
    const { app, dataDir } = lake
    const directory = join(lake.dir, 'published')
    await lake.answers(makeAnswers('first', '2026-10'))
    await publishLake(app.change, { directory, graceMs: HOUR_MS })
    const started = performance.now()
    await publishAndKill(dataDir, directory, 60_000, () => Promise.resolve())
    const tookMs = performance.now() - started
    let killed = 0
    for (let round = 0; round < KILLS; round++) {
      await lake.answers(makeAnswers(`A${round}-`, '2026-10'))
      const isDone = await publishAndKill(dataDir, directory, (round / KILLS) * tookMs, async () => {
        await compactLake(app.change, { isThorough: true })
        await collectGarbage(app.change, { graceMs: 0 })
      })
      if (!isDone) killed += 1
      await collectGarbage(app.change, { graceMs: 0 })
      await checkWhole(directory)
    }
    expect(killed).toBeGreaterThan(0)
    // The next one that nobody kills brings all tables to one publication, and leaves nothing of those before.
    const { publication } = await publishLake(app.change, { directory, graceMs: HOUR_MS })
    expect(await checkWhole(directory)).toBe(publication)
    for (const { name } of PUBLISHED_TABLES) {
      expect((await readTable(directory, name)).metadata.refs[tagOf(publication)]).toBeDefined()
    }
    expect(listFiles(directory)).toEqual(await listNeeded(directory))
  },
  120_000 + KILLS * 40_000,
)

/** Gives whether the publication was done before the time was over. */
async function publishAndKill(
  dataDir: string,
  directory: string,
  afterMs: number,
  meanwhile: () => Promise<void>,
): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/publisher.ts'), dataDir, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // Once it says that it is about to publish.
  await once(child.stdout, 'data')
  const work = meanwhile()
  await Promise.race([pause(afterMs), ended])
  const isDone = child.exitCode !== null
  if (!isDone) child.kill('SIGKILL')
  await ended
  await work
  return isDone
}

const listFiles = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** What an engine reads of the newest publication, and what older ones need for their grace. */
async function listNeeded(directory: string): Promise<string[]> {
  const state = await readPublication(directory)
  const paths = new Set(
    [STATE_FILE, ...(state?.replaced ?? []).map(({ path }) => path)].map((path) => join(directory, path)),
  )
  for (const { name } of PUBLISHED_TABLES) {
    const { metadata, manifests, files } = await readTable(directory, name)
    for (const path of ['version-hint.text', `v${state?.no}.metadata.json`]) {
      paths.add(join(directory, name, 'metadata', path))
    }
    for (const path of manifests) paths.add(path)
    for (const snapshot of metadata.snapshots) paths.add(toPath(snapshot['manifest-list']))
    for (const { data_file } of files) paths.add(toPath(data_file.file_path))
  }
  return [...paths].filter((path) => path.startsWith(join(directory, '/'))).sort()
}

/** Every table can be read by its hint and by the publication's tag, every file that it names is there. Gives the number. */
async function checkWhole(directory: string): Promise<number> {
  const state = await readPublication(directory)
  if (!state) throw new Error('there is no publication')
  for (const { name } of PUBLISHED_TABLES) {
    const newest = join(directory, name, `metadata/v${state.no}.metadata.json`)
    expect(existsSync(newest)).toBe(true)
    const { files } = await readTable(directory, name)
    expect(files.filter(({ data_file }) => !existsSync(toPath(data_file.file_path)))).toEqual([])
    const named = files.reduce((sum, { data_file }) => sum + data_file.record_count, 0)
    // Five to an import: an import is there whole.
    if (name === 'answers') expect(named % 5).toBe(0)
  }
  return state.no
}
