import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { CommandError, UsageError } from '../../src/errors.ts'
import { newApiKey } from '../../src/domain/api-key.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const DAY_MS = 86_400_000

function openWithKey() {
  const opened = openTestCatalog('server')
  const { catalog } = opened
  const organization = catalog.organizations.create({ name: 'Acme' })
  const { key, value } = catalog.keys.create({ name: 'CI', expiresInDays: 30, creator: 'ana' })
  return { ...opened, organization, key, value }
}

describe('create', () => {
  test('returns the value once and stores nothing of it but its hash', () => {
    const { catalog, key, value, organization, path } = openWithKey()
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      organizationId: organization.id,
      name: 'CI',
      permission: 'read',
      creator: 'ana',
      createdAt: '2026-11-20T07:03:09.120Z',
      expiresAt: '2026-12-20T07:03:09.120Z',
      revokedAt: null,
      lastUsedAt: null,
    })
    expect(catalog.keys.list()).toEqual([key])
    catalog.close()
    const dir = join(path, '..')
    const stored = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'))
    expect(stored.filter((bytes) => bytes.includes(value.slice(4)) || bytes.includes('alk_'))).toEqual([])
  })

  test('without an organization it takes the only one, and refuses to guess', () => {
    const { catalog } = openTestCatalog()
    const create = (organizationId?: string) =>
      catalog.keys.create({ name: 'K', expiresInDays: 365, creator: 'cli', permission: 'write', organizationId }).key
    expect(() => create()).toThrow(
      new CommandError('There is no organization yet. Make a site first: `answerlake sites create`.'),
    )
    const acme = catalog.organizations.create({ name: 'Acme' })
    expect(create()).toMatchObject({
      organizationId: acme.id,
      permission: 'write',
      expiresAt: '2027-11-20T07:03:09.120Z',
    })
    const bolt = catalog.organizations.create({ name: 'Bolt' })
    expect(() => create()).toThrow(UsageError)
    const key = create(bolt.id)
    expect(catalog.keys.list(bolt.id)).toEqual([key])
    expect(catalog.keys.list()).toHaveLength(2)
    expect(() => create('org_x')).toThrow('There is no organization "org_x".')
  })
})

describe('authenticate', () => {
  test('gives the key with its organization, and nothing for any text that is no key', () => {
    const { catalog, key, value, organization } = openWithKey()
    expect(catalog.keys.authenticate(value)).toEqual({ key, organization })
    const strangers = ['', value.slice(0, -1), `${value} `, value.toLowerCase(), newApiKey()]
    expect(strangers.map((text) => catalog.keys.authenticate(text))).toEqual(strangers.map(() => undefined))
  })

  test('a key expires to the millisecond, also when it is held in memory', () => {
    const { catalog, clock, value } = openWithKey()
    clock.nowMs += 30 * DAY_MS - 1
    expect(catalog.keys.authenticate(value)).toBeDefined()
    clock.nowMs += 1
    expect(catalog.keys.authenticate(value)).toBeUndefined()
  })

  test('revocation by another process holds on the very next call', () => {
    const { catalog, clock, key, value, openAgain } = openWithKey()
    expect(catalog.keys.authenticate(value)).toBeDefined()
    clock.nowMs += 1_000
    const other = openAgain('command')
    const revoked = other.keys.revoke(key.id)
    expect(revoked.revokedAt).toBe('2026-11-20T07:03:10.120Z')
    expect(catalog.keys.authenticate(value)).toBeUndefined()
    clock.nowMs += 1_000
    expect(other.keys.revoke(key.id)).toEqual(revoked)
    expect(() => other.keys.revoke('key_x')).toThrow('There is no key "key_x". `answerlake keys list` shows them.')
  })

  test('a downgrade, a lapsed plan and new limits by another process hold on the very next call', () => {
    const { catalog, value, organization, openAgain } = openWithKey()
    const other = openAgain('command')
    for (const change of [{ plan: 'pro' }, { planStatus: 'lapsed' }, { requestsPerMinute: 7 }] as const) {
      catalog.keys.authenticate(value)
      const after = other.organizations.set(organization.id, change)
      expect(catalog.keys.authenticate(value)?.organization).toEqual(after)
    }
  })

  test('a key made by another process is known at once', () => {
    const { catalog, openAgain } = openWithKey()
    const made = openAgain('command').keys.create({ name: 'New', expiresInDays: 90, creator: 'cli' })
    expect(catalog.keys.authenticate(made.value)?.key).toEqual(made.key)
  })
})

describe('last use', () => {
  test('is kept in memory until it is flushed, the newest of each key', () => {
    const { catalog, clock, key } = openWithKey()
    catalog.keys.touch(key.id)
    clock.nowMs += 5_000
    catalog.keys.touch(key.id)
    expect(catalog.keys.list()).toEqual([key])
    catalog.keys.flushLastUsed()
    expect(catalog.keys.list()).toEqual([{ ...key, lastUsedAt: '2026-11-20T07:03:14.120Z' }])
  })

  test('never goes back, whichever server writes later', () => {
    const { catalog, clock, key, openAgain } = openWithKey()
    const other = openAgain('server')
    catalog.keys.touch(key.id)
    clock.nowMs += 5_000
    other.keys.touch(key.id)
    other.keys.flushLastUsed()
    catalog.keys.flushLastUsed()
    expect(catalog.keys.list()[0]?.lastUsedAt).toBe('2026-11-20T07:03:14.120Z')
  })

  test('is written when the catalog closes', () => {
    const { catalog, key, openAgain } = openWithKey()
    catalog.keys.touch(key.id)
    catalog.close()
    expect(openAgain('command').keys.list()[0]?.lastUsedAt).toBe('2026-11-20T07:03:09.120Z')
  })

  test('waits for the next flush when another process is writing, and no write is made when nothing was used', () => {
    const { catalog, key, path } = openWithKey()
    const version = catalog.version()
    catalog.keys.flushLastUsed()
    expect(catalog.version()).toBe(version)
    catalog.keys.touch(key.id)
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    catalog.keys.flushLastUsed()
    other.close()
    expect(catalog.keys.list()[0]?.lastUsedAt).toBeNull()
    catalog.keys.flushLastUsed()
    expect(catalog.keys.list()[0]?.lastUsedAt).toBe('2026-11-20T07:03:09.120Z')
  })
})
