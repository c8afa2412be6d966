import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { confirmedUntil, newSecret } from '../../src/domain/user.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const HOUR_MS = 3_600_000
const CLIENT = { address: '192.0.2.7', client: 'Firefox' }

function openWithSession() {
  const opened = openTestCatalog('server')
  const { catalog } = opened
  const organization = catalog.organizations.create({ name: 'Acme' })
  const invited = { organizationId: organization.id, mail: 'ana@acme.com', role: 'owner', inviter: 'x' } as const
  const user = catalog.users.accept(catalog.users.invite(invited).secret, 'hash')
  if (!user) throw new Error('the invitation was not accepted')
  return { ...opened, organization, user, ...catalog.sessions.open(user.id, CLIENT) }
}

test('a session is opened with a value of its own, which is stored as a hash only', () => {
  const { catalog, path, session, user, value } = openWithSession()
  expect(session).toEqual({
    id: expect.stringMatching(/^ses_[0-9a-z]{26}$/),
    userId: user.id,
    createdAt: '2026-11-20T07:03:09.120Z',
    lastUsedAt: '2026-11-20T07:03:09.120Z',
    expiresAt: '2026-11-20T19:03:09.120Z',
    confirmedAt: null,
    address: '192.0.2.7',
    client: 'Firefox',
  })
  expect(value).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const long = catalog.sessions.open(user.id, { address: null, client: '😀'.repeat(300), isConfirmed: true })
  expect(long.session).toMatchObject({ client: '😀'.repeat(200), confirmedAt: '2026-11-20T07:03:09.120Z' })
  catalog.close()
  const dir = join(path, '..')
  const stored = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'))
  expect(stored.filter((bytes) => bytes.includes(value))).toEqual([])
})

describe('authenticate', () => {
  test('gives session, user and organization, and nothing for any text that is no value', () => {
    const { catalog, organization, session, user, value } = openWithSession()
    expect(catalog.sessions.authenticate(value)).toEqual({ session, user, organization })
    const strangers = ['', session.id, value.slice(1), `${value} `, value.toUpperCase(), newSecret()]
    expect(strangers.map((text) => catalog.sessions.authenticate(text))).toEqual(strangers.map(() => undefined))
  })

  test('a session ends 12 hours after its last use, to the millisecond, also when it is held in memory', () => {
    const { catalog, clock, session, value } = openWithSession()
    clock.nowMs += 12 * HOUR_MS - 1
    expect(catalog.sessions.authenticate(value)).toBeDefined()
    catalog.sessions.touch(session.id)
    clock.nowMs += 12 * HOUR_MS - 1
    expect(catalog.sessions.authenticate(value)?.session).toMatchObject({
      lastUsedAt: '2026-11-20T19:03:09.119Z',
      expiresAt: '2026-11-21T07:03:09.119Z',
    })
    clock.nowMs += 1
    expect(catalog.sessions.authenticate(value)).toBeUndefined()
    expect(catalog.sessions.list(session.userId)).toEqual([])
  })

  test('a session ends after seven days, however much it is used', () => {
    const { catalog, clock, session, value } = openWithSession()
    const endMs = clock.nowMs + 7 * 24 * HOUR_MS
    while (clock.nowMs + 11 * HOUR_MS < endMs) {
      clock.nowMs += 11 * HOUR_MS
      catalog.sessions.touch(session.id)
    }
    clock.nowMs = endMs - 1
    expect(catalog.sessions.authenticate(value)?.session.expiresAt).toBe('2026-11-27T07:03:09.120Z')
    clock.nowMs = endMs
    expect(catalog.sessions.authenticate(value)).toBeUndefined()
  })

  test('an end, a role and a new limit by another process hold on the very next call', () => {
    const { catalog, openAgain, organization, session, user, value } = openWithSession()
    const other = openAgain('command')
    const joined = { organizationId: organization.id, mail: 'b@acme.com', role: 'owner', inviter: 'x' } as const
    other.users.accept(other.users.invite(joined).secret, 'hash')
    const states = [
      () => other.users.setRole(user.id, 'member'),
      () => other.organizations.set(organization.id, { name: 'Acme Corp' }),
      () => other.sessions.end(session.id),
    ].map((change) => {
      expect(catalog.sessions.authenticate(value)).toBeDefined()
      change()
      const holder = catalog.sessions.authenticate(value)
      return holder && [holder.user.role, holder.organization.name]
    })
    expect(states).toEqual([['member', 'Acme'], ['member', 'Acme Corp'], undefined])
    expect(other.sessions.end(session.id)).toBe(false)
  })
})

test('uses are kept in memory until they are flushed, never go back, and wait while another process writes', () => {
  const { catalog, clock, openAgain, path, session, user } = openWithSession()
  const other = openAgain('server')
  const version = catalog.version()
  catalog.sessions.flushLastUsed()
  expect(catalog.version()).toBe(version)
  catalog.sessions.touch(session.id)
  clock.nowMs += 5_000
  other.sessions.touch(session.id)
  other.sessions.flushLastUsed()
  catalog.sessions.flushLastUsed()
  const used = () => openAgain('command').sessions.list(user.id)[0]?.lastUsedAt
  expect(used()).toBe('2026-11-20T07:03:14.120Z')
  clock.nowMs += 5_000
  catalog.sessions.touch(session.id)
  const writer = new Database(path)
  writer.exec('BEGIN IMMEDIATE')
  catalog.sessions.flushLastUsed()
  writer.close()
  expect(used()).toBe('2026-11-20T07:03:14.120Z')
  catalog.close()
  expect(used()).toBe('2026-11-20T07:03:19.120Z')
})

test('a typed password counts for ten minutes', () => {
  const { catalog, clock, session, value } = openWithSession()
  const until = () => {
    const held = catalog.sessions.authenticate(value)?.session
    return held && confirmedUntil(held, clock.nowMs)
  }
  expect(until()).toBeNull()
  catalog.sessions.confirm(session.id)
  clock.nowMs += 10 * 60_000 - 1
  expect(until()).toBe('2026-11-20T07:13:09.120Z')
  clock.nowMs += 1
  expect(until()).toBeNull()
})

test('a user has 50 sessions at most; those that are over are forgotten', () => {
  const { catalog, clock, path, session, user, value } = openWithSession()
  for (let i = 0; i < 49; i++) {
    clock.nowMs += 1
    catalog.sessions.open(user.id, CLIENT)
  }
  expect(catalog.sessions.authenticate(value)).toBeDefined()
  clock.nowMs += 1
  const last = catalog.sessions.open(user.id, CLIENT)
  expect(catalog.sessions.authenticate(value)).toBeUndefined()
  const listed = catalog.sessions.list(user.id)
  expect(listed).toHaveLength(50)
  expect(listed[0]?.id).toBe(last.session.id)
  expect(listed.map(({ id }) => id)).not.toContain(session.id)
  expect(catalog.sessions.endOf(user.id, last.session.id)).toBe(49)
  expect(catalog.sessions.list(user.id)).toEqual([last.session])
  clock.nowMs += 13 * HOUR_MS
  catalog.sessions.open(user.id, CLIENT)
  const db = new Database(path, { readonly: true })
  expect(db.prepare('SELECT count(*) FROM sessions').pluck().get()).toBe(1)
  db.close()
})
