import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readPublication, STATE_FILE, tagOf } from '../../src/iceberg/publication-state.ts'
import { publishLake } from '../../src/iceberg/publish.ts'
import { isDataset, PUBLISHED_TABLES } from '../../src/iceberg/tables.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { HOUR_MS, makeAnswers, openTestLake, SITE, type TestLake } from '../maintenance/support/lake.ts'
import { readHint, readTable, toPath } from './support/read-publication.ts'

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
    await lake.answers(makeAnswers('second', '2026-10'))
    const { tookMs } = await publishAndKill(dataDir, directory, 60_000, () => Promise.resolve())
    let killed = 0
    let newest = 0
    for (let round = 0; killed < KILLS; round++) {
      if (round > 2 * KILLS) throw new Error(`only ${killed} of ${round} were killed`)
      await lake.answers(makeAnswers(`A${round}-`, '2026-10'))
      const { isKilled } = await publishAndKill(dataDir, directory, ((killed + 0.5) / KILLS) * tookMs, async () => {
        await lake.answers(makeAnswers(`B${round}-`, '2026-10'))
        await checkWhole(lake, directory)
        await compactLake(app.change, { isThorough: true })
        await collectGarbage(app.change, { graceMs: 0 })
      })
      if (isKilled) killed += 1
      await collectGarbage(app.change, { graceMs: 0 })
      const no = await checkWhole(lake, directory)
      expect(no).toBeGreaterThanOrEqual(newest)
      newest = no
    }
    // The next one that nobody kills brings all tables to one publication, and leaves nothing of those before.
    const { publication } = await publishLake(app.change, { directory, graceMs: HOUR_MS })
    expect(await checkWhole(lake, directory)).toBe(publication)
    for (const { name } of PUBLISHED_TABLES) expect(readHint(directory, name)).toBe(publication)
    expect(listFiles(directory)).toEqual(await listNeeded(directory))
  },
  120_000 + KILLS * 40_000,
)

/** Publishes in a process that is killed a while after it began, beside other work. */
async function publishAndKill(
  dataDir: string,
  directory: string,
  afterMs: number,
  meanwhile: () => Promise<void>,
): Promise<{ readonly isKilled: boolean; readonly tookMs: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support/publisher.ts'), dataDir, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // Once it says that it is about to publish.
  await once(child.stdout, 'data')
  const startedMs = performance.now()
  const work = meanwhile()
  await Promise.race([pause(afterMs), ended])
  child.kill('SIGKILL')
  await ended
  const tookMs = performance.now() - startedMs
  await work
  return { isKilled: child.signalCode === 'SIGKILL', tookMs }
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

/**
 * Engines that read the directory agree on the tag of the oldest hint, those that read through the catalog on the state's: both
 * read all tables as the lake was at one moment, and every file is there. Gives the state's number.
 */
async function checkWhole({ app: { catalog, change } }: TestLake, directory: string): Promise<number> {
  const state = await readPublication(directory)
  if (!state) throw new Error('there is no publication')
  const hinted = Math.min(...PUBLISHED_TABLES.map(({ name }) => readHint(directory, name)))
  for (const [no, version] of [[hinted], [state.no, state.no]] as const) {
    const snapshot = catalog.publications.list(directory).find((one) => one.no === no)?.snapshot ?? 0
    const live = catalog.manifest.listFiles(SITE, snapshot)
    for (const { name } of PUBLISHED_TABLES) {
      const { files } = await readTable(directory, name, tagOf(no), version)
      const named = files.map(({ data_file }) => toPath(data_file.file_path))
      expect(named.filter((path) => !existsSync(path))).toEqual([])
      if (!isDataset(name)) continue
      const paths = live.filter(({ dataset }) => dataset === name).map(({ path }) => join(change.lakeDir, path))
      expect(named.sort()).toEqual(paths.sort())
    }
  }
  return state.no
}
