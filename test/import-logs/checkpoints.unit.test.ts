import { expect, test } from 'vitest'
import { openCheckpoints } from '../../src/import-logs/checkpoints.ts'
import { LOG_ENDS_MAX } from '../../src/log-limits.ts'
import { openTestCatalog } from '../catalog/support/test-catalog.ts'

const HEAD = Buffer.alloc(2_000, 'a line\n')

/** Checkpoints as each import opens them, with the number that it has. */
function openWithSite() {
  const { catalog, clock } = openTestCatalog()
  const siteId = catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  const read = (importNo: number, bytes: number) => {
    const checkpoints = openCheckpoints(catalog, siteId, importNo)
    checkpoints.goOnFrom(checkpoints.find(HEAD)[0]?.importNo ?? null)
    checkpoints.add(HEAD, { bytes, lines: bytes, tailSha256: `tail ${bytes}`, state: undefined })
    checkpoints.save()
    return checkpoints.continues
  }
  return {
    catalog,
    clock,
    siteId,
    read,
    ends: () =>
      openCheckpoints(catalog, siteId, 0)
        .find(HEAD)
        .map(({ bytes }) => bytes),
  }
}

test('an import tells which one it went on from', () => {
  const { read } = openWithSite()
  expect([read(1, 3_000), read(2, 4_000), read(3, 5_000)]).toEqual([[], [1], [2]])
})

test('the undo of an import takes its checkpoints away and brings back those that it gave up', () => {
  const { catalog, siteId, read, ends } = openWithSite()
  for (let no = 1; no <= LOG_ENDS_MAX; no++) read(no, 3_000 + no)
  const before = ends()
  expect(before).toHaveLength(LOG_ENDS_MAX)
  read(LOG_ENDS_MAX + 1, 9_000)
  expect(ends()).toEqual([9_000, ...before.slice(0, -1)])
  catalog.imports.undoLogImport(siteId, LOG_ENDS_MAX + 1)
  expect(ends()).toEqual(before)
})

test('a checkpoint is brought back only while its own import stands', () => {
  const { catalog, siteId, read, ends } = openWithSite()
  for (let no = 1; no <= LOG_ENDS_MAX + 1; no++) read(no, 3_000 + no)
  catalog.imports.undoLogImport(siteId, 1)
  catalog.imports.undoLogImport(siteId, LOG_ENDS_MAX + 1)
  expect(ends()).toHaveLength(LOG_ENDS_MAX - 1)
  expect(ends()).not.toContain(3_001)
})

test('checkpoints that were given up are forgotten with the undo of the import that did so', () => {
  const { catalog, clock, siteId, read } = openWithSite()
  for (let no = 1; no <= LOG_ENDS_MAX + 2; no++) read(no, 3_000 + no)
  const importNo = LOG_ENDS_MAX + 2
  const undo = { importNo, continues: [], months: [] }
  const change = { siteId, kind: 'import_logs', snapshot: 1, result: {} } as const
  catalog.recordedChanges.record({ ...change, id: 'imp_1', undo: { ...undo, importNo: importNo - 1 } })
  clock.nowMs += 1_000
  catalog.recordedChanges.record({ ...change, id: 'imp_2', undo })
  catalog.recordedChanges.forgetLogUndos(new Date(clock.nowMs).toISOString())
  catalog.imports.undoLogImport(siteId, importNo - 1)
  catalog.imports.undoLogImport(siteId, importNo)
  const ends = catalog.imports.listLogCheckpoints(siteId).map(({ bytes }) => bytes)
  expect([ends.length, ends[0]]).toEqual([LOG_ENDS_MAX - 1, 3_002])
})
