import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { backUpLake } from '../../src/maintenance/backup.ts'
import { collectGarbage } from '../../src/maintenance/garbage-collection.ts'
import { compactLake } from '../../src/maintenance/compaction.ts'
import { restoreBackup } from '../../src/maintenance/restore.ts'
import { verifyLake } from '../../src/maintenance/lake-verification.ts'
import { makeAnswers, openTestLake, readReports, SITE, type TestLake } from './support/lake.ts'

/** Restores into a new directory beside the lake and opens it. */
async function restore(lake: TestLake, backup: string, name = 'restored') {
  const dataDir = join(lake.dir, name)
  const result = await restoreBackup({ dir: backup, dataDir, clock: lake.clock })
  return { result, app: await lake.openAgain(dataDir), dataDir }
}

function damage(path: string): void {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
}

const listFiles = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort()

describe('a backup', () => {
  test('gives the same reports, keys and cursors when it is restored', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    await lake.answers(makeAnswers('A', '2026-10'))
    const { key, value } = app.catalog.keys.create({ name: 'k', expiresInDays: 30, creator: 'test' })
    const page = await app.reports.answers(SITE, {
      site_id: SITE,
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      limit: 2,
      include: [],
    })
    const reports = await readReports(app)
    const result = await backUpLake(app.change, { dir: join(dir, 'backup') })
    const bytes = lake.files().reduce((sum, file) => sum + file.bytes, 0)
    expect(result).toEqual({
      dir: join(dir, 'backup'),
      snapshot: 1,
      files: 6,
      bytes,
      files_copied: 6,
      bytes_copied: bytes,
    })
    await lake.answers(makeAnswers('B', '2026-10'))
    const restored = await restore(lake, result.dir)
    expect(restored.result).toEqual({
      data_dir: restored.dataDir,
      valid_keys: [expect.objectContaining({ id: key.id })],
      keys_revoked: 0,
      valid_users: [],
      snapshot: 1,
      files: 6,
      bytes,
      created_at: '2026-11-20T12:00:00.000Z',
    })
    expect(await readReports(restored.app)).toEqual(reports)
    expect(restored.app.catalog.keys.authenticate(value)).toBeDefined()
    const next = { site_id: SITE, start_date: '2026-10-01', end_date: '2026-10-31', limit: 9, include: [] }
    const rest = await restored.app.reports.answers(SITE, { ...next, cursor: page.info.next_cursor! })
    expect(rest.data).toHaveLength(3)
    expect(await verifyLake(restored.app.change, {})).toMatchObject({ ok: true, orphans: [] })
    expect((await restored.app.catalog.manifest.listRetired()).length).toBe(0)
  })

  test('copies only what is new into a directory with an earlier one, and forgets what is gone', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    await backUpLake(app.change, { dir: backup })
    await lake.answers(makeAnswers('B', '2026-11'))
    const second = await backUpLake(app.change, { dir: backup })
    expect([second.files, second.files_copied]).toEqual([lake.files().length, lake.files().length - 6])
    await compactLake(app.change, { isThorough: true })
    await backUpLake(app.change, { dir: backup })
    const { catalog } = JSON.parse(readFileSync(join(backup, 'MANIFEST.json'), 'utf8'))
    const live = lake.files().map(({ path }) => `lake/${path}`)
    expect(listFiles(backup)).toEqual(['MANIFEST.json', catalog.path, ...live].sort())
    const restored = await restore(lake, backup)
    expect(await readReports(restored.app)).toEqual(await readReports(app))
  })

  test('holds one moment, while imports, compactions and collections go on', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    for (let batch = 0; batch < 4; batch++) await lake.answers(makeAnswers(`A${batch}-`, '2026-10'))
    const before = await readReports(app)
    const writer = await lake.openAgain()
    let disturbed = 0
    const disturb = async (): Promise<void> => {
      disturbed += 1
      await compactLake(writer.change, { isThorough: true })
      await collectGarbage(writer.change, { graceMs: 0 })
    }
    let work: Promise<void> | undefined
    await backUpLake(app.change, { dir: join(dir, 'backup'), onProgress: () => void (work ??= disturb()) })
    await work
    expect(disturbed).toBe(1)
    const restored = await restore(lake, join(dir, 'backup'))
    expect(await readReports(restored.app)).toEqual(before)
    expect(await verifyLake(restored.app.change, {})).toMatchObject({ ok: true })
    expect((await collectGarbage(app.change, { graceMs: 0 })).kept.files).toBe(0)
  })

  test('of a lake with a damaged file is refused, and the earlier one stays whole', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    const reports = await readReports(app)
    await backUpLake(app.change, { dir: backup })
    await lake.answers(makeAnswers('B', '2026-11'))
    const victim = lake.files('answers').find(({ month }) => month === '2026-11')!
    damage(join(app.change.lakeDir, victim.path))
    await expect(backUpLake(app.change, { dir: backup })).rejects.toThrow(`${victim.path} is damaged`)
    await expect(backUpLake(app.change, { dir: join(dir, 'a', 'new') })).rejects.toThrow(`${victim.path} is damaged`)
    expect(existsSync(join(dir, 'a'))).toBe(false)
    const restored = await restore(lake, backup)
    expect(await readReports(restored.app)).toEqual(reports)
  })

  test('that was taken for dead says so and leaves the directory to the one that took over', async () => {
    const lake = await openTestLake()
    const { app, dir, dataDir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    await backUpLake(app.change, { dir: backup })
    await lake.answers(makeAnswers('B', '2026-11'))
    const other = await lake.openAgain()
    let taken: unknown
    const takeOver = (): void => {
      if (taken) return
      // What another backup does that has watched this one stand still.
      const [token = ''] = other.catalog.leases.listHeld()
      rmSync(join(dataDir, 'locks', `${token}.lock`))
      taken = other.catalog.leases.tryAcquire(`backup:${realpathSync(backup)}`)
    }
    const losing = backUpLake(app.change, { dir: backup, onProgress: takeOver })
    const before = listFiles(backup).filter((name) => !name.startsWith('catalog-'))
    const manifest = readFileSync(join(backup, 'MANIFEST.json'))
    await expect(losing).rejects.toThrow('another one took over its work. Nothing was changed')
    expect(taken).toBeDefined()
    expect(readFileSync(join(backup, 'MANIFEST.json'))).toEqual(manifest)
    expect(listFiles(backup)).toEqual(expect.arrayContaining(before))
    expect((await restore(lake, backup)).result.files).toBe(6)
  })

  test('says which keys are valid, those that were revoked after the backup too, and revokes all when told to', async () => {
    const lake = await openTestLake()
    const { app, dir, clock } = lake
    const { keys } = app.catalog
    const create = (name: string) => keys.create({ name, expiresInDays: 30, creator: 'test' })
    const [before, after, kept] = [create('revoked before'), create('revoked after'), create('kept')]
    keys.revoke(before.key.id)
    const backup = join(dir, 'backup')
    await backUpLake(app.change, { dir: backup })
    keys.revoke(after.key.id)
    const restored = await restore(lake, backup)
    expect(restored.result).toMatchObject({
      keys_revoked: 0,
      valid_keys: [after.key, kept.key]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, name, expiresAt }) => ({ id, name, permission: 'read', expires_at: expiresAt })),
    })
    expect(restored.app.catalog.keys.authenticate(after.value)).toBeDefined()

    const result = await restoreBackup({ dir: backup, dataDir: join(dir, 'safe'), clock, revokesKeys: true })
    expect(result).toMatchObject({ keys_revoked: 2, valid_keys: [] })
    const safe = await lake.openAgain(join(dir, 'safe'))
    for (const { value } of [before, after, kept]) expect(safe.catalog.keys.authenticate(value)).toBeUndefined()
  })

  test('says which users may sign in, and neither signs anybody in nor lets a link be used again', async () => {
    const lake = await openTestLake()
    const { users, sessions } = lake.app.catalog
    const { organizationId } = lake.app.catalog.sites.get(SITE)
    const invite = (mail: string) => users.invite({ organizationId, mail, role: 'owner', inviter: 'test' })
    const accept = (mail: string) => users.accept(invite(mail).secret, `hash of ${mail}`)!
    const [ana, ben] = [accept('ana@acme.com'), accept('ben@acme.com')]
    const late = invite('cem@acme.com')
    const { value } = sessions.open(ana.id, { address: null, client: 'Firefox' })
    const backup = join(lake.dir, 'backup')
    await backUpLake(lake.app.change, { dir: backup })
    users.revoke(ben.id)
    const { app, result } = await restore(lake, backup)
    expect(result.valid_users.toSorted()).toEqual(['ana@acme.com', 'ben@acme.com'])
    expect(app.catalog.users.findPassword(ben.id)).toBe('hash of ben@acme.com')
    expect(app.catalog.sessions.authenticate(value)).toBeUndefined()
    expect(app.catalog.users.findBySecret(late.secret)).toBeUndefined()
    expect(sessions.authenticate(value)).toBeDefined()
  })

  test('goes into no directory that holds something else, the lake itself, or another lake’s backup', async () => {
    const lake = await openTestLake()
    const { app, dir, dataDir } = lake
    const refused = (backup: string) => expect(backUpLake(app.change, { dir: backup })).rejects
    mkdirSync(join(dir, 'photos'))
    writeFileSync(join(dir, 'photos', 'cat.jpg'), '')
    await refused(join(dir, 'photos')).toThrow('holds cat.jpg, which is no part of a backup')
    await refused(join(dataDir, 'lake', 'backup')).toThrow('lie one within the other')
    expect(existsSync(join(dataDir, 'lake', 'backup'))).toBe(false)
    await refused(dir).toThrow('lie one within the other')
    await backUpLake((await openTestLake()).app.change, { dir: join(dir, 'other') })
    await refused(join(dir, 'other')).toThrow('a backup of another data directory')
    expect(readdirSync(join(dir, 'photos'))).toEqual(['cat.jpg'])
  })

  test('made of the leftovers of one that was killed is as good as any', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    mkdirSync(backup)
    const stop = new AbortController()
    const stopped = backUpLake(app.change, { dir: backup, signal: stop.signal, onProgress: () => stop.abort() })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    await expect(restore(lake, backup)).rejects.toThrow('holds no backup, or one that was never finished')
    damage(join(backup, 'lake', lake.files()[0]!.path))
    writeFileSync(join(backup, 'lake', 'half.parquet.abc.tmp'), 'half')
    await backUpLake(app.change, { dir: backup })
    expect(existsSync(join(backup, 'lake', 'half.parquet.abc.tmp'))).toBe(false)
    expect(await readReports((await restore(lake, backup)).app)).toEqual(await readReports(app))
  })
})

describe('a restore', () => {
  test.each([
    ['a file of the lake is damaged', 'file', /is damaged: it has not the size and checksum recorded/],
    ['a file of the lake is missing', 'missing', /is missing/],
    ['the catalog is damaged', 'catalog', /is damaged/],
    ['the manifest is damaged', 'manifest', /is damaged, or was written by a newer answerlake/],
  ])('that finds that %s leaves the directory empty', async (_, what, message) => {
    const lake = await openTestLake()
    const { app, dir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    await backUpLake(app.change, { dir: backup })
    const { catalog, files } = JSON.parse(readFileSync(join(backup, 'MANIFEST.json'), 'utf8'))
    if (what === 'file') damage(join(backup, 'lake', files[3].path))
    if (what === 'missing') rmSync(join(backup, 'lake', files[3].path))
    if (what === 'catalog') damage(join(backup, catalog.path))
    if (what === 'manifest') writeFileSync(join(backup, 'MANIFEST.json'), '{"format": "answerlake-backup"}')
    const dataDir = join(dir, 'restored')
    await expect(restore(lake, backup, join('not', 'there'))).rejects.toThrow(message)
    expect(existsSync(join(dir, 'not'))).toBe(false)
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'config.json'), '{}')
    await expect(restore(lake, backup)).rejects.toThrow(message)
    expect(listFiles(dataDir)).toEqual(['config.json'])
  })

  test('goes into no directory that holds something', async () => {
    const lake = await openTestLake()
    const { app, dir } = lake
    const backup = join(dir, 'backup')
    await lake.answers(makeAnswers('A', '2026-10'))
    await backUpLake(app.change, { dir: backup })
    const restored = await restore(lake, backup)
    const reports = await readReports(restored.app)
    await lake.answers(makeAnswers('B', '2026-11'))
    await backUpLake(app.change, { dir: backup })
    await expect(restore(lake, backup)).rejects.toThrow('restored is not empty: it holds catalog.sqlite')
    expect(await readReports(restored.app)).toEqual(reports)
    mkdirSync(join(dir, 'lost'))
    cpSync(join(backup, 'lake'), join(dir, 'lost', 'lake'), { recursive: true })
    await expect(restore(lake, backup, 'lost')).rejects.toThrow('lost is not empty: it holds lake')
    expect(existsSync(join(dir, 'lost', 'lake', 'answers'))).toBe(true)
  })
})
