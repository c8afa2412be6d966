import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { importOrganization } from '../../src/maintenance/import-organization.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

/** A lake with the usual site, a key for it, imports of answers and logs, and a second organization. */
async function openTwoOrganizations(): Promise<{ lake: TestLake; organizationId: string; key: string }> {
  const lake = await openTestLake()
  const { catalog } = lake.app
  const organizationId = catalog.sites.get(SITE).organizationId
  await lake.answers(makeAnswers('Sep', '2026-09', 30))
  await lake.answers(makeAnswers('Oct', '2026-10', 30))
  await lake.logs(['66.249.66.1 - - [20/Oct/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "GPTBot/1.2"'])
  catalog.organizations.create({ id: 'neighbours', name: 'Neighbours' })
  catalog.sites.create({
    id: 'hidden',
    organizationId: 'neighbours',
    name: 'SecretNeighbour',
    domain: 'neighbour.example',
  })
  const { value } = catalog.keys.create({ name: 'bi', expiresInDays: 90, organizationId, creator: 'test' })
  for (const [id, mail] of [
    [organizationId, 'ana@acme.com'],
    ['neighbours', 'secret@neighbour.example'],
  ] as const) {
    const { user, secret } = catalog.users.invite({ organizationId: id, mail, role: 'owner', inviter: 'test' })
    catalog.users.accept(secret, 'hash')
    catalog.sessions.open(user.id, { address: null, client: 'Firefox' })
    catalog.audit.record({ organizationId: id, action: 'user.invite', subject: user.id })
  }
  catalog.audit.record({ organizationId: null, action: 'operator_key.create', subject: 'secret@neighbour.example' })
  return { lake, organizationId, key: value }
}

const readAll = (app: App): Promise<unknown> => readReports(app)

test('an organization moves with everything, and its reports say what they said', async () => {
  const { lake, organizationId, key } = await openTwoOrganizations()
  const before = await readAll(lake.app)
  const undoable = lake.app.catalog.recordedChanges.listUndos(SITE, 'import_answers')
  const dir = join(lake.dir, 'export')
  lake.app.catalog.moves.stop(organizationId)
  await backUpLake(lake.app.change, { dir, organizationId })

  const target = await openTestLake()
  target.app.catalog.deletions.deleteSite(SITE)
  target.app.catalog.organizations.create({ id: 'others', name: 'Others' })
  target.app.catalog.sites.create({ id: 'other', organizationId: 'others', name: 'Other', domain: 'other.example' })
  await collectGarbage(target.app.change, { graceMs: 0 })
  const moved = await importOrganization(target.app.change, { dir })

  expect(moved).toMatchObject({ organization_id: organizationId, sites: [SITE], prompts: 2, keys: 1, users: 1 })
  expect(await readAll(target.app)).toEqual(before)
  expect(target.app.catalog.keys.authenticate(key)?.organization.id).toBe(organizationId)
  const [user] = target.app.catalog.users.list()
  expect(user).toMatchObject({ organizationId, mail: 'ana@acme.com', hasPassword: true })
  expect(target.app.catalog.sessions.list(user?.id ?? '')).toEqual([])
  expect(target.app.catalog.audit.list({ limit: 9 })).toEqual([
    expect.objectContaining({ organizationId, action: 'user.invite', subject: user?.id }),
  ])
  expect(target.app.catalog.recordedChanges.listUndos(SITE, 'import_answers')).toEqual(undoable)
  expect(target.app.catalog.sites.list('others').map(({ id }) => id)).toEqual(['other'])
  expect(target.app.catalog.integrityCheck()).toEqual([])
  // Numbers go on where they were: what is imported next meets nothing that is there.
  await target.answers(makeAnswers('Nov', '2026-11', 30))
  await collectGarbage(target.app.change, { graceMs: 0 })
  lake.app.catalog.moves.resume(organizationId)
  await lake.answers(makeAnswers('Nov', '2026-11', 30))
  expect(await readAll(target.app)).toEqual(await readAll(lake.app))
})

test('an export holds nothing of other organizations, and a secret of its own', async () => {
  const { lake, organizationId } = await openTwoOrganizations()
  const dir = join(lake.dir, 'export')
  await backUpLake(lake.app.change, { dir, organizationId })
  const bytes = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  const holds = (word: string | Uint8Array): boolean => bytes.some((content) => content.includes(word))
  expect(holds('Acme')).toBe(true)
  expect(['SecretNeighbour', 'neighbour.example', lake.app.catalog.cursorSecret].map(holds)).toEqual([
    false,
    false,
    false,
  ])
})

test('a stopped organization is read, but nothing of it changes until it is resumed or deleted', async () => {
  const { lake, organizationId } = await openTwoOrganizations()
  const { catalog } = lake.app
  const before = await readAll(lake.app)
  const server = await lake.openAgain()
  expect([catalog.moves.stop(organizationId), catalog.moves.stop(organizationId)]).toEqual([true, false])
  const changes: readonly (() => unknown)[] = [
    () => server.catalog.prompts.add(SITE, [{ text: 'New?', category: 'Discovery' }]),
    () => server.catalog.prompts.setStatus(SITE, ['p0'], 'disabled'),
    () => server.catalog.competitors.add(SITE, { name: 'Initech', domains: ['initech.com'] }),
    () => server.catalog.sites.set(SITE, { name: 'Acme Corp' }),
    () => server.catalog.organizations.set(organizationId, { promptLimit: 1 }),
    () => server.catalog.keys.create({ name: 'late', expiresInDays: 30, organizationId, creator: 'test' }),
  ]
  for (const change of changes) expect(change).toThrow(/Changes of this organization are stopped/)
  await expect(lake.answers(makeAnswers('Nov', '2026-11'))).rejects.toThrow(/are stopped/)
  expect(await readAll(server)).toEqual(before)
  expect(server.catalog.organizations.get(organizationId).stoppedAt).toBe('2026-11-20T12:00:00.000Z')
  catalog.sites.set('hidden', { name: 'Neighbour' })
  expect([catalog.moves.resume(organizationId), catalog.moves.resume(organizationId)]).toEqual([true, false])
  await lake.answers(makeAnswers('Nov', '2026-11'))
  catalog.moves.stop(organizationId)
  catalog.deletions.deleteOrganization(organizationId)
  expect(catalog.sites.list().map(({ id }) => id)).toEqual(['hidden'])
})

test('an import that began before the stop is refused at its commit', async () => {
  const { lake, organizationId } = await openTwoOrganizations()
  const { catalog } = lake.app
  const [file] = lake.files('answers')
  if (!file) throw new Error('no file')
  catalog.moves.stop(organizationId)
  const commit = (): unknown =>
    catalog.manifest.commit({ kind: 'compaction', siteId: SITE, add: [], remove: [file.fileId] })
  expect(commit).toThrow(/are stopped/)
  expect(lake.files('answers')).toContainEqual(file)
})

test('what is here already, or not whole, is refused and changes nothing', async () => {
  const { lake, organizationId } = await openTwoOrganizations()
  const dir = join(lake.dir, 'export')
  await backUpLake(lake.app.change, { dir, organizationId })
  await expect(importOrganization(lake.app.change, { dir })).rejects.toThrow(/is in this data directory already/)
  await expect(importOrganization(lake.app.change, { dir: lake.dir })).rejects.toThrow(/holds no export/)
  const whole = join(lake.dir, 'whole')
  await backUpLake(lake.app.change, { dir: whole })
  await expect(importOrganization(lake.app.change, { dir: whole })).rejects.toThrow(/backup of a whole data directory/)
  await expect(backUpLake(lake.app.change, { dir })).rejects.toThrow(/another data directory or organization/)
  const target = await openTestLake()
  const known = target.app.catalog.manifest.allKnownPaths()
  await expect(importOrganization(target.app.change, { dir })).rejects.toThrow(/The id acme \(sites\) is taken/)
  expect(target.app.catalog.manifest.allKnownPaths()).toEqual(known)
  target.app.catalog.deletions.deleteSite(SITE)
  target.app.catalog.organizations.create({ id: 'others', name: 'Others' })
  const given = { organizationId: 'others', mail: 'ana@acme.com', role: 'owner', inviter: 'test' } as const
  const { user } = target.app.catalog.users.invite(given)
  const refusal = /ana@acme.com is a user of another organization here/
  await expect(importOrganization(target.app.change, { dir })).rejects.toThrow(refusal)
  target.app.catalog.users.revoke(user.id)
  await collectGarbage(target.app.change, { graceMs: 0 })
  await importOrganization(target.app.change, { dir })
  expect(readdirSync(join(target.dataDir, 'lake', '.staging'))).toEqual([])
})

test('an organization that comes back waits until its old files are collected', async () => {
  const { lake, organizationId } = await openTwoOrganizations()
  const before = await readAll(lake.app)
  const dir = join(lake.dir, 'export')
  await backUpLake(lake.app.change, { dir, organizationId })
  lake.app.catalog.deletions.deleteOrganization(organizationId)
  await expect(importOrganization(lake.app.change, { dir })).rejects.toThrow(/lake gc --grace 0/)
  await collectGarbage(lake.app.change, { graceMs: 0 })
  await importOrganization(lake.app.change, { dir })
  await collectGarbage(lake.app.change, { graceMs: 0 })
  expect(await readAll(lake.app)).toEqual(before)
})
