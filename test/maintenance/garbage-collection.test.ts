import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeLake } from '../../src/change/change-lake.ts'
import { newFileId } from '../../src/ids.ts'
import { BALLAST_BYTES } from '../../src/limits.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { HOUR_MS, makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

/** A lake with replaced files: two imports, merged an instant later. */
async function openMergedLake(): Promise<TestLake & { readonly replacedPaths: readonly string[] }> {
  const lake = await openTestLake()
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.answers(makeAnswers('B', '2026-10'))
  const before = lake.files()
  await compactLake(lake.app.change, { isThorough: true })
  const live = new Set(lake.files().map(({ path }) => path))
  const replacedPaths = before.map(({ path }) => path).filter((path) => !live.has(path))
  return Object.assign(lake, { replacedPaths })
}

const presentOf = ({ app }: TestLake, paths: readonly string[]): string[] =>
  paths.filter((path) => existsSync(join(app.change.lakeDir, path)))

describe('replaced files', () => {
  test('stay for the grace and are deleted after it; then no cursor can reach them', async () => {
    const lake = await openMergedLake()
    const { app, clock, replacedPaths } = lake
    const reports = await readReports(app)
    expect(replacedPaths.length).toBeGreaterThan(8)
    clock.nowMs += HOUR_MS
    const kept = await collectGarbage(app.change, { graceMs: HOUR_MS })
    expect(kept.deleted.files).toBe(0)
    expect(presentOf(lake, replacedPaths)).toEqual(replacedPaths)
    expect(app.catalog.manifest.isReadable(SITE, 2, HOUR_MS)).toBe(true)
    clock.nowMs += 1
    const collected = await collectGarbage(app.change, { graceMs: HOUR_MS })
    expect(collected).toEqual({
      deleted: { files: replacedPaths.length, bytes: kept.kept.bytes },
      orphans: [],
      kept: { files: 0, bytes: 0 },
      warnings: [],
    })
    expect(presentOf(lake, replacedPaths)).toEqual([])
    expect(app.catalog.manifest.isReadable(SITE, 2, 100 * HOUR_MS)).toBe(false)
    expect(await readReports(app)).toEqual(reports)
  })

  test('with no grace go at once, even those of this very millisecond', async () => {
    const lake = await openMergedLake()
    expect((await collectGarbage(lake.app.change, { graceMs: 0 })).deleted.files).toBe(lake.replacedPaths.length)
  })

  test('stay while a living process has pinned a snapshot that needs them', async () => {
    const lake = await openMergedLake()
    const { app, replacedPaths } = lake
    const reader = await lake.openAgain()
    const presence = reader.catalog.leases.enter()
    reader.catalog.manifest.pin(presence.token, 2)
    expect((await collectGarbage(app.change, { graceMs: 0 })).deleted.files).toBe(0)
    presence.leave()
    expect((await collectGarbage(app.change, { graceMs: 0 })).deleted.files).toBe(replacedPaths.length)
  })

  test('of the state in which a change began stay until it is over', async () => {
    const lake = await openMergedLake()
    const { app } = lake
    await changeLake(app.change, { site: { id: SITE }, group: 'answers', kind: 'import_answers' }, async (change) => {
      const other = await lake.openAgain()
      await changeLake(other.change, { site: { id: SITE }, group: 'answers', kind: 'compaction' }, (replacing) =>
        replacing.commit(
          () => undefined,
          replacing.files.filter(({ dataset }) => dataset === 'hosts').map(({ fileId }) => fileId),
        ),
      )
      await collectGarbage(other.change, { graceMs: 0 })
      expect(
        presentOf(
          lake,
          change.files.map(({ path }) => path),
        ),
      ).toHaveLength(change.files.length)
    })
  })

  test('are deleted by the next collection when one was stopped half-way', async () => {
    const lake = await openMergedLake()
    const { app, replacedPaths } = lake
    const { manifest } = app.catalog
    const retired = manifest.listRetired()
    manifest.markDeleting(retired.map(({ fileId }) => fileId))
    rmSync(join(app.change.lakeDir, retired[0]!.path))
    expect((await collectGarbage(app.change, { graceMs: 100 * HOUR_MS })).deleted.files).toBe(replacedPaths.length)
    expect([manifest.listDeleting(), presentOf(lake, replacedPaths)]).toEqual([[], []])
  })

  test('stay when the clock was set back, unless no grace is asked for', async () => {
    const lake = await openMergedLake()
    const { app, clock, replacedPaths } = lake
    clock.nowMs -= 2 * HOUR_MS
    const { deleted, warnings } = await collectGarbage(app.change, { graceMs: HOUR_MS })
    expect(deleted.files).toBe(0)
    expect(warnings).toEqual([
      'The clock was set back: it says 2026-11-20T10:00:00.000Z, the newest change of the lake was at 2026-11-20T12:00:00.000Z. Replaced files are kept until it is past that. Set the clock if it is wrong; `answerlake lake gc --grace 0` ends this if it is right.',
    ])
    expect((await collectGarbage(app.change, { graceMs: 0 })).deleted.files).toBe(replacedPaths.length)
  })
})

describe('leftovers', () => {
  test('of killed processes are removed: staged, placed, spilled and restored files, and locks', async () => {
    const lake = await openMergedLake()
    const { app, dataDir } = lake
    const { lakeDir } = app.change
    const placed = `answers/${SITE}/2026-10/${newFileId()}.parquet`
    writeFileSync(join(lakeDir, placed), 'half a file')
    mkdirSync(join(lakeDir, '.staging', 'dead', 'spill'), { recursive: true })
    writeFileSync(join(lakeDir, '.staging', 'dead', 'some.parquet'), 'half a file')
    mkdirSync(join(dataDir, 'tmp', 'gone'), { recursive: true })
    writeFileSync(join(dataDir, 'tmp', 'gone', 'duckdb_temp_storage-0.tmp'), 'spilled')
    writeFileSync(join(dataDir, 'locks', 'dead.lock'), '')
    mkdirSync(join(dataDir, '.restore-dead', 'lake'), { recursive: true })
    const { orphans } = await collectGarbage(app.change, { graceMs: HOUR_MS })
    expect(orphans.toSorted()).toEqual([`lake/${placed}`, 'lake/.staging/dead', 'tmp/gone', '.restore-dead'].toSorted())
    expect([existsSync(join(lakeDir, placed)), readdirSync(join(lakeDir, '.staging'))]).toEqual([false, []])
    expect(existsSync(join(dataDir, 'locks', 'dead.lock'))).toBe(false)
    expect((await collectGarbage(app.change, { graceMs: HOUR_MS })).orphans).toEqual([])
  })

  test('are none of these: files of a change at work, of a reader that spills, and files of others', async () => {
    const lake = await openMergedLake()
    const { app, dataDir } = lake
    await readReports(app)
    const foreign = join(app.change.lakeDir, 'answers', SITE, '2026-10', 'notes.txt')
    writeFileSync(foreign, 'mine')
    const spills = readdirSync(join(dataDir, 'tmp'))
    expect(spills).toHaveLength(1)
    await changeLake(app.change, { site: { id: SITE }, group: 'answers', kind: 'import_answers' }, async (change) => {
      const fileId = newFileId()
      const staged = join(change.staging.dir, `${fileId}.parquet`)
      const placed = join(app.change.lakeDir, 'answers', SITE, '2026-10', `${fileId}.parquet`)
      for (const path of [staged, placed]) writeFileSync(path, 'work')
      const other = await lake.openAgain()
      expect((await collectGarbage(other.change, { graceMs: 0 })).orphans).toEqual([])
      expect([staged, placed, foreign].map((path) => existsSync(path))).toEqual([true, true, true])
    })
    expect(readdirSync(join(dataDir, 'tmp'))).toEqual(spills)
  })

  test('of a process that was killed in the middle of a change are removed by the next change', async () => {
    const lake = await openMergedLake()
    const { app } = lake
    const program = `
      import { openApp } from '${import.meta.dirname}/../../src/app.ts'
      import { parseConfig } from '${import.meta.dirname}/../../src/config.ts'
      import { changeLake } from '${import.meta.dirname}/../../src/change/change-lake.ts'
      import { writeFileSync } from 'node:fs'
      const app = await openApp(parseConfig({ dataDir: process.argv[1], environment: {} }, {}, ''), { mode: 'command' })
      await changeLake(app.change, { site: { id: '${SITE}' }, group: 'answers', kind: 'import_answers' }, async (change) => {
        writeFileSync(change.staging.dir + '/x.parquet', 'half')
        process.stdout.write('ready')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program, lake.dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const [token] = readdirSync(join(app.change.lakeDir, '.staging'))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(existsSync(join(app.change.lakeDir, '.staging', token!, 'x.parquet'))).toBe(true)
    await lake.answers(makeAnswers('C', '2026-10'))
    expect(readdirSync(join(app.change.lakeDir, '.staging'))).toEqual([])
  })
})

test('a ballast lies ready for the day when the disk is full', async () => {
  const lake = await openMergedLake()
  await collectGarbage(lake.app.change, { graceMs: HOUR_MS })
  expect(statSync(join(lake.dataDir, 'ballast')).size).toBe(BALLAST_BYTES)
})
