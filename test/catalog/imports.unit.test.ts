import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

function openWithSite() {
  const opened = openTestCatalog()
  const siteId = opened.catalog.sites.create({ name: 'Acme', domain: 'acme.com' }).id
  return { ...opened, siteId, imports: opened.catalog.imports }
}

test('checkpoints of logs are kept for each site until they are removed', () => {
  const { catalog, imports, siteId } = openWithSite()
  const other = catalog.sites.create({ name: 'Bolt', domain: 'bolt.com' }).id
  const log = {
    siteId,
    headSha256: 'aa',
    headBytes: 1_024,
    bytes: 2_000,
    tailSha256: 'bb',
    lines: 20,
    state: null,
    importNo: 3,
  }
  imports.addLogCheckpoint(log)
  imports.addLogCheckpoint({ ...log, bytes: 3_000, state: '{"line":7}' })
  imports.addLogCheckpoint({ ...log, siteId: other })
  expect(imports.listLogCheckpoints(siteId)).toEqual([
    { ...log, id: 1 },
    { ...log, id: 2, bytes: 3_000, state: '{"line":7}' },
  ])
  imports.addLogCheckpoint({ ...log, lines: 21 })
  imports.giveUpLogCheckpoint(2, 4)
  expect(imports.listLogCheckpoints(siteId)).toEqual([{ ...log, id: 1, lines: 21 }])
  expect(imports.listLogCheckpoints(other)).toHaveLength(1)
})
