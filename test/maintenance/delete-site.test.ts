import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { importAnswers } from '../../src/import-answers/import-answers.ts'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { deleteLogs } from '../../src/maintenance/delete-logs.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { restoreBackup } from '../../src/maintenance/restore.ts'
import { HOUR_MS, makeAnswers, openTestLake, readLogs, readReports, SITE, type TestLake } from './support/lake.ts'
import { makeLogLines } from './support/log-lines.ts'

const RANGE = { site_id: SITE, start_date: '2026-09-01', end_date: '2026-11-30', limit: 2, include: [] }

/** A lake with answers and logs of its site, and a second site with answers of its own. */
async function openFilledLake(): Promise<TestLake> {
  const lake = await openTestLake()
  await lake.answers(makeAnswers('A', '2026-10'))
  await lake.answers(makeAnswers('B', '2026-11'))
  await lake.logs(makeLogLines('2026-11', 3))
  const { catalog } = lake.app
  const other = catalog.sites.create({ id: 'other', name: 'Bolt', domain: 'bolt.com' })
  await importFor(lake, other.id, makeAnswers('O', '2026-10'))
  return lake
}

function importFor(
  { app, dir }: TestLake,
  siteId: string,
  records: readonly object[],
): ReturnType<typeof importAnswers> {
  const path = join(dir, `${siteId}.ndjson`)
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'))
  return importAnswers(app.change, {
    site: app.catalog.sites.get(siteId),
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
  })
}

const listLakeFiles = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    : []

const ofSite = (paths: readonly string[]): string[] => paths.filter((path) => path.split('/').includes(SITE))

test('nothing of a deleted site is left in any table but that it was deleted, and the other site is as it was', async () => {
  const { app, dataDir } = await openFilledLake()
  const { catalog } = app
  const other = await app.reports.answers('other', { ...RANGE, site_id: 'other' })
  const counted = catalog.deletions.countSite(SITE)
  expect(counted).toMatchObject({ site_id: SITE, answers: 10, no_answers: 2, log_rows: 6, prompts: 2, competitors: 1 })
  expect(catalog.deletions.deleteSite(SITE)).toEqual(counted)

  const db = new Database(join(dataDir, 'catalog.sqlite'), { readonly: true })
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  const naming = tables.filter((table) =>
    db
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .some((row) => Object.values(row as object).includes(SITE)),
  )
  db.close()
  expect(naming.toSorted()).toEqual(['deleted_site_files', 'recorded_changes'])
  expect(catalog.integrityCheck()).toEqual([])
  expect(catalog.sites.list().map(({ id }) => id)).toEqual(['other'])
  expect(await app.reports.answers('other', { ...RANGE, site_id: 'other' })).toEqual(other)
  expect(catalog.recordedChanges.list({ siteId: SITE, all: true })).toMatchObject([
    { kind: 'delete_site', siteId: SITE, actor: expect.any(String), result: counted },
  ])
  expect((await verifyLake(app.change, {})).ok).toBe(true)
  expect(() => catalog.deletions.deleteSite(SITE)).toThrow('There is no site "acme"')
})

test('an organization goes with its sites and keys', async () => {
  const { app } = await openFilledLake()
  const { catalog } = app
  const { id } = catalog.organizations.list()[0]!
  catalog.organizations.create({ id: 'rest', name: 'Rest' })
  const kept = catalog.keys.create({ name: 'r', expiresInDays: 30, organizationId: 'rest', creator: 'test' })
  const { value } = catalog.keys.create({ name: 'k', expiresInDays: 30, organizationId: id, creator: 'test' })
  expect(catalog.keys.authenticate(value)).toBeDefined()
  const counted = catalog.deletions.countOrganization(id)
  expect(counted).toMatchObject({ name: 'Acme', keys: 1, sites: [{ site_id: SITE }, { site_id: 'other' }] })
  expect(catalog.deletions.deleteOrganization(id)).toEqual(counted)
  expect(catalog.keys.authenticate(value)).toBeUndefined()
  expect(catalog.keys.authenticate(kept.value)).toBeDefined()
  expect(catalog.organizations.list().map((one) => one.id)).toEqual(['rest'])
  expect(catalog.integrityCheck()).toEqual([])
  expect(catalog.recordedChanges.list({ all: true }).map(({ kind }) => kind)).toEqual([
    'delete_organization',
    'delete_site',
    'delete_site',
  ])
})

test('a cursor and a report of a deleted site get what an unknown site gets', async () => {
  const { app } = await openFilledLake()
  const { info } = await app.reports.answers(SITE, RANGE)
  app.catalog.deletions.deleteSite(SITE)
  const unknown = { code: 'not_found' }
  await expect(app.reports.answers(SITE, { ...RANGE, cursor: info.next_cursor ?? '' })).rejects.toMatchObject(unknown)
  await expect(readReports(app)).rejects.toMatchObject(unknown)
})

test('a reader that had begun finds its files until the grace is over; then the lake has none of the site', async () => {
  const { app, clock } = await openFilledLake()
  const before = app.reporting.lookup.get(SITE)
  app.catalog.deletions.deleteSite(SITE)
  const reading = (): Promise<unknown> => app.lake.ensureIntact(before.files)
  clock.nowMs += HOUR_MS
  await collectGarbage(app.change, { graceMs: HOUR_MS + 1 })
  await reading()
  clock.nowMs += 2
  const { deleted } = await collectGarbage(app.change, { graceMs: HOUR_MS })
  expect(deleted.files).toBe(before.files.length)
  expect(ofSite(listLakeFiles(app.change.lakeDir))).toEqual([])
  expect(app.catalog.manifest.listDeleting()).toEqual([])
})

test('files that a process has pinned stay until it is gone', async () => {
  const { app } = await openFilledLake()
  const presence = app.catalog.leases.enter()
  app.catalog.manifest.pin(presence.token, app.catalog.manifest.currentSnapshot())
  app.catalog.deletions.deleteSite(SITE)
  await collectGarbage(app.change, { graceMs: 0 })
  expect(ofSite(listLakeFiles(app.change.lakeDir))).not.toEqual([])
  presence.leave()
  await collectGarbage(app.change, { graceMs: 0 })
  expect(ofSite(listLakeFiles(app.change.lakeDir))).toEqual([])
})

test('an import under way fails in words and leaves nothing', async () => {
  const lake = await openFilledLake()
  const { app } = lake
  const again = await lake.openAgain()
  const records = makeAnswers('C', '2026-11', 400)
  let isDeleted = false
  const path = join(lake.dir, 'late.ndjson')
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'))
  const importing = importAnswers(app.change, {
    site: app.catalog.sites.get(SITE),
    files: [path],
    format: 'native',
    defaults: {},
    createPrompts: true,
    dryRun: false,
    strict: true,
    discoverMin: 1_000,
    onProgress: () => {
      if (!isDeleted) again.catalog.deletions.deleteSite(SITE)
      isDeleted = true
    },
  })
  await expect(importing).rejects.toThrow('The site acme was deleted meanwhile. Nothing was changed.')
  await collectGarbage(app.change, { graceMs: 0 })
  expect(ofSite(listLakeFiles(app.change.lakeDir))).toEqual([])
  expect((await verifyLake(app.change, {})).ok).toBe(true)
})

test('a deletion that begins when the site is gone says so, and not that there was nothing to delete', async () => {
  const { app } = await openTestLake()
  const site = app.catalog.sites.get(SITE)
  app.catalog.deletions.deleteSite(SITE)
  for (const dryRun of [false, true]) {
    const deletion = deleteLogs(app.change, { site, selection: {}, dryRun })
    await expect(deletion).rejects.toThrow('The site acme was deleted meanwhile. Nothing was changed.')
  }
})

test('what an import that was killed left behind is collected', async () => {
  const { app } = await openFilledLake()
  const [file] = app.reporting.lookup.get(SITE).files
  app.catalog.deletions.deleteSite(SITE)
  const orphan = join(app.change.lakeDir, file!.path.replace(file!.fileId, 'z'.repeat(26)))
  writeFileSync(orphan, 'left behind')
  expect(await verifyLake(app.change, {})).toMatchObject({ ok: true })
  await collectGarbage(app.change, { graceMs: HOUR_MS })
  expect(existsSync(orphan)).toBe(false)
})

test("the next backup has nothing of it, and an earlier one's files go", async () => {
  const lake = await openFilledLake()
  const { app, dir } = lake
  const backup = join(dir, 'backup')
  app.catalog.prompts.add(SITE, [{ text: 'Who else asks this?', category: 'Brand' }])
  await backUpLake(app.change, { dir: backup })
  expect(ofSite(listLakeFiles(backup))).not.toEqual([])
  app.catalog.deletions.deleteSite(SITE)
  await backUpLake(app.change, { dir: backup })
  expect(ofSite(listLakeFiles(backup))).toEqual([])
  const catalogs = listLakeFiles(backup).filter((path) => path.startsWith('catalog-'))
  const bytes = readFileSync(join(backup, catalogs[0]!)).toString('latin1')
  expect([catalogs.length, bytes.includes('Who else asks this?'), bytes.includes('globex.com')]).toEqual([
    1,
    false,
    false,
  ])
  const dataDir = join(dir, 'restored')
  await restoreBackup({ dir: backup, dataDir, clock: lake.clock })
  const restored = await lake.openAgain(dataDir)
  expect(restored.catalog.sites.list().map(({ id }) => id)).toEqual(['other'])
  expect((await verifyLake(restored.change, {})).ok).toBe(true)
})

test('a site with the id of a deleted one begins anew', async () => {
  const lake = await openFilledLake()
  const { app } = lake
  app.catalog.deletions.deleteSite(SITE)
  app.catalog.sites.create({ id: SITE, name: 'Acme', domain: 'acme.com' })
  expect(await importFor(lake, SITE, makeAnswers('A', '2026-10'))).toMatchObject({ imported: 5, no_answer: 1 })
  await setTimeout(0)
  await collectGarbage(app.change, { graceMs: 0 })
  expect(await lake.logs(makeLogLines('2026-11', 3))).toMatchObject({ rejected: 0, files: [{ bot_hits: 3 }] })
  expect((await readLogs(lake))['hits']).toHaveLength(3)
  const reports = await readReports(app)
  expect(reports['answers']).toHaveLength(5)
  expect((await verifyLake(app.change, {})).ok).toBe(true)
})
