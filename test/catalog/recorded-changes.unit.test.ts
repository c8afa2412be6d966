import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openCatalog } from '../../src/catalog/catalog.ts'
import { migrate, MIGRATIONS } from '../../src/catalog/migrations.ts'
import { openStore } from '../../src/catalog/store.ts'
import { WriteConflictError } from '../../src/catalog/write-conflict.ts'
import { createTestClock, createTestRandom, makeTestDir, openTestCatalog } from './support/test-catalog.ts'
import { join } from 'node:path'

function openWithSite() {
  const opened = openTestCatalog()
  const siteId = opened.catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  return { ...opened, siteId, changes: opened.catalog.recordedChanges }
}

test('changes are listed newest first, each with its snapshot, what it printed and who made it', () => {
  const { catalog, changes, siteId } = openWithSite()
  const run = (id: string) =>
    catalog.manifest.commit({ kind: 'import_answers', siteId, add: [], remove: [] }, (snapshot) =>
      changes.record({ id, siteId, kind: 'import_answers', snapshot, result: { imported: 3, files: [id] } }),
    )
  for (const id of ['imp_1', 'imp_2', 'imp_3']) run(id)
  const toEntry = (id: string, snapshot: number) => ({
    id,
    siteId,
    kind: 'import_answers',
    snapshot,
    actor: 'operator',
    result: { imported: 3, files: [id] },
    undoneBy: null,
    createdAt: '2026-11-20T07:03:09.120Z',
  })
  expect(changes.list({ siteId })).toEqual([toEntry('imp_3', 3), toEntry('imp_2', 2), toEntry('imp_1', 1)])
  expect(changes.list({ siteId, limit: 1 })).toEqual([toEntry('imp_3', 3)])
  expect(changes.find('imp_2')).toEqual(toEntry('imp_2', 2))
  expect(changes.find('imp_4')).toBeUndefined()
})

test('a change is noted only once under its id', () => {
  const { catalog, changes, siteId } = openWithSite()
  const run = () =>
    catalog.manifest.commit({ kind: 'import_logs', siteId, add: [], remove: [] }, (snapshot) =>
      changes.record({ id: 'imp_1', siteId, kind: 'import_logs', snapshot, result: null }),
    )
  run()
  expect(run).toThrow('UNIQUE constraint failed: recorded_changes.id')
  expect(catalog.manifest.currentSnapshot()).toBe(1)
})

test('what is no import is listed with all, and so is what concerned a site that is gone', () => {
  const { changes, siteId } = openWithSite()
  changes.record({ id: 'imp_1', siteId, kind: 'import_answers', snapshot: 1, result: {} })
  changes.record({ id: 'chg_1', siteId: 'gone', kind: 'delete_site', snapshot: null, result: { domain: 'gone.com' } })
  changes.record({ id: 'chg_2', siteId: null, kind: 'delete_organization', snapshot: null, result: {} })
  expect(changes.list().map(({ id }) => id)).toEqual(['imp_1'])
  expect(changes.list({ all: true }).map(({ id }) => id)).toEqual(['chg_2', 'chg_1', 'imp_1'])
  changes.removeSite(siteId)
  expect(changes.list({ all: true }).map(({ id }) => id)).toEqual(['chg_2', 'chg_1'])
})

test('an import is taken back once, and then needs nothing more for it', () => {
  const { changes, siteId } = openWithSite()
  changes.record({ id: 'imp_1', siteId, kind: 'import_logs', snapshot: 1, result: {}, undo: { importNo: 7 } })
  changes.record({ id: 'imp_2', siteId, kind: 'import_logs', snapshot: 2, result: {} })
  expect([changes.findUndo('imp_1'), changes.findUndo('imp_2')]).toEqual([{ importNo: 7 }, null])
  changes.markUndone('imp_1', 'chg_1')
  expect(changes.findUndo('imp_1')).toBeNull()
  expect(changes.list().map(({ id, undoneBy }) => [id, undoneBy])).toEqual([
    ['imp_2', null],
    ['imp_1', 'chg_1'],
  ])
  expect(changes.list({ isStanding: true }).map(({ id }) => id)).toEqual(['imp_2'])
  expect(() => changes.markUndone('imp_1', 'chg_2')).toThrow(WriteConflictError)
})

test('what log imports kept for an undo is dropped by age', () => {
  const { changes, clock, siteId } = openWithSite()
  changes.record({ id: 'imp_1', siteId, kind: 'import_logs', snapshot: 1, result: {}, undo: 1 })
  changes.record({ id: 'imp_2', siteId, kind: 'import_answers', snapshot: 2, result: {}, undo: 2 })
  clock.nowMs += 60_000
  changes.record({ id: 'imp_3', siteId, kind: 'import_logs', snapshot: 3, result: {}, undo: 3 })
  changes.forgetLogUndos('2026-11-20T07:03:30.000Z')
  expect(['imp_1', 'imp_2', 'imp_3'].map((id) => changes.findUndo(id))).toEqual([null, 2, 3])
  // An undo that was under way then has lost the checkpoints that it was to bring back.
  expect(() => changes.markUndone('imp_1', 'chg_1')).toThrow(WriteConflictError)
  expect(changes.find('imp_1')).toMatchObject({ undoneBy: null })
})

test('answers imported before changes were recorded are known by their numbers, where these add up', () => {
  const path = join(makeTestDir(), 'catalog.sqlite')
  const store = openStore(path, { clock: createTestClock(), random: createTestRandom(), mode: 'command' })
  migrate(store, MIGRATIONS.slice(0, 4))
  store.db.close()
  const db = new Database(path)
  db.exec(`
    INSERT INTO organizations VALUES ('org', 'Acme', 'pro', 'live', 100, 60, 60, '2026');
    INSERT INTO sites (id, organization_id, name, domain, aliases, platforms, discover, created_at)
    VALUES ('one', 'org', 'One', 'one.com', '[]', '[]', 1, '2026'), ('two', 'org', 'Two', 'two.com', '[]', '[]', 1, '2026');
    INSERT INTO site_counters VALUES ('one', 'answer_no', 13), ('two', 'answer_no', 90);
    INSERT INTO snapshots VALUES (1, 'x', 'one', '2026'), (2, 'x', 'two', '2026'), (3, 'x', 'one', '2026'), (4, 'x', 'one', '2026');
    INSERT INTO imports VALUES
      ('imp_c', 'one', 'import_answers', 4, '{"imported":2,"no_answer":0}', '2026'),
      ('imp_l', 'one', 'import_logs', 3, '{"lines":7}', '2026'),
      ('imp_b', 'two', 'import_answers', 2, '{"imported":5,"no_answer":1}', '2026'),
      ('imp_a', 'one', 'import_answers', 1, '{"imported":9,"no_answer":1}', '2026');`)
  db.close()
  using catalog = openCatalog(path, { mode: 'command' })
  const { recordedChanges } = catalog
  expect(recordedChanges.list().map(({ id }) => id)).toEqual(['imp_c', 'imp_l', 'imp_b', 'imp_a'])
  expect(recordedChanges.list()[0]).toMatchObject({ siteId: 'one', snapshot: 4, actor: null, createdAt: '2026' })
  expect(['imp_a', 'imp_b', 'imp_c', 'imp_l'].map((id) => recordedChanges.findUndo(id))).toEqual([
    { firstAnswerNo: 1, nextAnswerNo: 11 },
    null,
    { firstAnswerNo: 11, nextAnswerNo: 13 },
    null,
  ])
})
