import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithSite() {
  const opened = openTestCatalog()
  const siteId = opened.catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  return { ...opened, siteId, imports: opened.catalog.imports }
}

test('imports are listed newest first, each with its snapshot and what it printed', () => {
  const { catalog, imports, siteId } = openWithSite()
  const run = (id: string) =>
    catalog.manifest.commit({ kind: 'import_answers', siteId, add: [], remove: [] }, (snapshot) =>
      imports.record({ id, siteId, kind: 'import_answers', snapshot, result: { imported: 3, files: [id] } }),
    )
  for (const id of ['imp_1', 'imp_2', 'imp_3']) run(id)
  const toEntry = (id: string, snapshot: number) => ({
    id,
    siteId,
    kind: 'import_answers',
    snapshot,
    result: { imported: 3, files: [id] },
    createdAt: '2026-11-20T07:03:09.120Z',
  })
  expect(imports.list(siteId)).toEqual([toEntry('imp_3', 3), toEntry('imp_2', 2), toEntry('imp_1', 1)])
  expect(imports.list(siteId, 1)).toEqual([toEntry('imp_3', 3)])
})

test('an import is noted only once under its id', () => {
  const { catalog, imports, siteId } = openWithSite()
  const run = () =>
    catalog.manifest.commit({ kind: 'import_logs', siteId, add: [], remove: [] }, (snapshot) =>
      imports.record({ id: 'imp_1', siteId, kind: 'import_logs', snapshot, result: null }),
    )
  run()
  expect(run).toThrow('UNIQUE constraint failed: imports.id')
  expect(catalog.manifest.currentSnapshot()).toBe(1)
})

test('checkpoints of logs are kept for each site until they are removed', () => {
  const { catalog, imports, siteId } = openWithSite()
  const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
  const log = { siteId, headSha256: 'aa', headBytes: 1_024, bytes: 2_000, tailSha256: 'bb', lines: 20, state: null }
  imports.addLogCheckpoint(log)
  imports.addLogCheckpoint({ ...log, bytes: 3_000, state: '{"line":7}' })
  imports.addLogCheckpoint({ ...log, siteId: other })
  expect(imports.listLogCheckpoints(siteId)).toEqual([
    { ...log, id: 1 },
    { ...log, id: 2, bytes: 3_000, state: '{"line":7}' },
  ])
  imports.addLogCheckpoint({ ...log, lines: 21 })
  imports.removeLogCheckpoint(2)
  expect(imports.listLogCheckpoints(siteId)).toEqual([{ ...log, id: 1, lines: 21 }])
  expect(imports.listLogCheckpoints(other)).toHaveLength(1)
})
