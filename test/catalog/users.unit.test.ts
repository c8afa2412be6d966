import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { ApiError, CommandError } from '../../src/errors.ts'
import { openTestCatalog } from './support/test-catalog.ts'

const HOUR_MS = 3_600_000
const CLIENT = { address: '192.0.2.7', client: 'Firefox' }

function openWithOwner(mode: 'command' | 'server' = 'command') {
  const opened = openTestCatalog(mode)
  const { catalog } = opened
  const { id: organizationId } = catalog.organizations.create({ name: 'Acme' })
  const invite = (mail: string, role: 'owner' | 'member' = 'member') =>
    catalog.users.invite({ organizationId, mail, role, inviter: 'root' })
  const join = (mail: string, role?: 'owner' | 'member') => {
    const user = catalog.users.accept(invite(mail, role).secret, `hash of ${mail}`)
    if (!user) throw new Error('the invitation was not accepted')
    return user
  }
  return { ...opened, organizationId, invite, join, owner: join('Ana@Acme.com ', 'owner') }
}

const catalogFiles = (path: string): string[] =>
  readdirSync(join(path, '..'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(path, '..', name), 'latin1'))

describe('an invitation', () => {
  test('makes a user, and its secret is stored as a hash only', () => {
    const { catalog, invite, organizationId, path } = openWithOwner()
    const { user, secret, expiresAt } = invite(' BEN@acme.com')
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      organizationId,
      mail: 'ben@acme.com',
      role: 'member',
      createdAt: '2026-11-20T07:03:09.120Z',
      lastSignInAt: null,
      revokedAt: null,
      hasPassword: false,
    })
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(expiresAt).toBe('2026-11-21T07:03:09.120Z')
    expect(catalog.users.findBySecret(secret)).toEqual({ user, kind: 'invitation', expiresAt })
    catalog.close()
    expect(catalogFiles(path).filter((bytes) => bytes.includes(secret))).toEqual([])
  })

  test('is accepted once, within a day', () => {
    const { catalog, clock, invite } = openWithOwner()
    const { user, secret } = invite('ben@acme.com')
    clock.nowMs += 24 * HOUR_MS - 1
    expect(catalog.users.useLink(secret)).toBeUndefined()
    expect(catalog.users.accept(secret, 'hash')).toEqual({
      ...user,
      hasPassword: true,
      lastSignInAt: '2026-11-21T07:03:09.119Z',
    })
    expect(catalog.users.findPassword(user.id)).toBe('hash')
    expect([catalog.users.findBySecret(secret), catalog.users.accept(secret, 'other')]).toEqual([undefined, undefined])
    expect(catalog.users.findPassword(user.id)).toBe('hash')
    const late = invite('cem@acme.com')
    clock.nowMs += 24 * HOUR_MS
    expect([catalog.users.findBySecret(late.secret), catalog.users.accept(late.secret, 'hash')]).toEqual([
      undefined,
      undefined,
    ])
  })

  test('of somebody who has not come puts out the one before and gives the role anew', () => {
    const { catalog, invite } = openWithOwner()
    const first = invite('ben@acme.com')
    const second = invite('Ben@acme.com', 'owner')
    expect(second.user).toEqual({ ...first.user, role: 'owner' })
    expect(catalog.users.findBySecret(first.secret)).toBeUndefined()
    expect(catalog.users.findBySecret(second.secret)?.user).toEqual(second.user)
  })

  test('refuses what is no address, who is there already, and who is there in another organization', () => {
    const { catalog, invite } = openWithOwner()
    for (const mail of [
      '',
      'ana',
      'ana@',
      '@acme.com',
      'a b@acme.com',
      'ana@acme.com,ben@acme.com',
      'ana@ac\u202eme.com',
    ])
      expect(() => invite(mail)).toThrow(`"${mail}" is no mail address.`)
    expect(() => invite(`${'a'.repeat(250)}@acme.com`)).toThrow('is no mail address')
    expect(() => invite('ANA@ACME.COM')).toThrow(new CommandError('ana@acme.com is a user already.'))
    const bolt = catalog.organizations.create({ name: 'Bolt' }).id
    expect(() =>
      catalog.users.invite({ organizationId: bolt, mail: 'ana@acme.com', role: 'member', inviter: 'x' }),
    ).toThrow('ana@acme.com cannot be invited.')
    expect(catalog.users.list(bolt)).toEqual([])
    expect(catalog.users.list()).toHaveLength(1)
  })
})

describe('other links', () => {
  test('a reset leaves the password until it is used, then ends every session', () => {
    const { catalog, owner } = openWithOwner()
    const { value } = catalog.sessions.open(owner.id, CLIENT)
    const { secret } = catalog.users.reset(owner.id)
    expect(catalog.users.findBySecret(secret)?.kind).toBe('reset')
    expect(catalog.users.findPassword(owner.id)).toBe('hash of Ana@Acme.com ')
    expect(catalog.sessions.authenticate(value)).toBeDefined()
    expect(catalog.users.accept(secret, 'another')?.id).toBe(owner.id)
    expect(catalog.users.findPassword(owner.id)).toBe('another')
    expect(catalog.sessions.authenticate(value)).toBeUndefined()
  })

  test('a link that signs in does so once, and sets no password', () => {
    const { catalog, invite } = openWithOwner()
    const { user } = invite('demo@acme.com')
    const { secret } = catalog.users.createLink(user.id)
    expect(catalog.users.findBySecret(secret)?.kind).toBe('sign_in')
    expect(catalog.users.accept(secret, 'hash')).toBeUndefined()
    expect(catalog.users.useLink(secret)).toMatchObject({ id: user.id, hasPassword: false })
    expect(catalog.users.useLink(secret)).toBeUndefined()
  })

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}=`, 'ä'.repeat(43)])('%j is the secret of none', (secret) => {
    const { catalog } = openWithOwner()
    expect(catalog.users.findBySecret(secret)).toBeUndefined()
    expect(catalog.users.accept(secret, 'hash')).toBeUndefined()
  })
})

describe('revoking', () => {
  test('ends sessions and links at once, in every process, for good', () => {
    const { catalog, clock, join, openAgain } = openWithOwner()
    const ben = join('ben@acme.com')
    const { value } = catalog.sessions.open(ben.id, CLIENT)
    const { secret } = catalog.users.reset(ben.id)
    expect(catalog.sessions.authenticate(value)).toBeDefined()
    const other = openAgain('command')
    const revoked = other.users.revoke(ben.id)
    expect(revoked).toEqual({ ...ben, hasPassword: false, revokedAt: '2026-11-20T07:03:09.120Z' })
    expect(catalog.sessions.authenticate(value)).toBeUndefined()
    expect([catalog.users.findBySecret(secret), catalog.users.accept(secret, 'x')]).toEqual([undefined, undefined])
    expect(catalog.users.findByMail('ben@acme.com')).toBeUndefined()
    expect(() => catalog.sessions.open(ben.id, CLIENT)).toThrow('was revoked')
    clock.nowMs += HOUR_MS
    expect(catalog.users.revoke(ben.id)).toEqual(revoked)
    expect(() => catalog.users.reset(ben.id)).toThrow('ben@acme.com was revoked. Invite the address again.')
  })

  test('leaves the address to be invited again, as another user', () => {
    const { catalog, join, organizationId } = openWithOwner()
    const before = catalog.users.revoke(join('ben@acme.com').id)
    const after = join('ben@acme.com')
    expect(after.id).not.toBe(before.id)
    expect(catalog.users.findByMail('ben@acme.com')).toEqual(after)
    expect(catalog.users.list(organizationId).map(({ id }) => id)).toContain(before.id)
  })

  test('never takes the last owner who can sign in', () => {
    const { catalog, invite, join, owner } = openWithOwner()
    const refusal = (what: string) =>
      `ana@acme.com is the only owner who can sign in, and cannot be ${what}. Make somebody else an owner first.`
    const refuses = () => {
      expect(() => catalog.users.revoke(owner.id)).toThrow(new CommandError(refusal('revoked')))
      expect(() => catalog.users.setRole(owner.id, 'member')).toThrow(refusal('made a member'))
    }
    refuses()
    join('ben@acme.com')
    refuses()
    const invited = invite('cem@acme.com', 'owner')
    refuses()
    catalog.users.revoke(invited.user.id)
    const bolt = catalog.organizations.create({ name: 'Bolt' }).id
    const { secret } = catalog.users.invite({ organizationId: bolt, mail: 'b@b.com', role: 'owner', inviter: 'x' })
    catalog.users.accept(secret, 'hash')
    refuses()
    const second = join('dia@acme.com', 'owner')
    expect(catalog.users.setRole(owner.id, 'member').role).toBe('member')
    expect(() => catalog.users.revoke(second.id)).toThrow('is the only owner')
    expect(catalog.users.revoke(owner.id).revokedAt).not.toBeNull()
  })
})

test('refusals are CommandErrors of a command and ApiErrors of the server', () => {
  const tryAll = ({ users }: Catalog) =>
    [() => users.revoke('usr_x'), () => users.setRole('usr_x', 'owner'), () => users.reset('usr_x')].map((run) => {
      try {
        return run()
      } catch (error) {
        return error
      }
    })
  const unknown = new CommandError('There is no user "usr_x". `answerlake users list` shows them.')
  expect(tryAll(openWithOwner().catalog)).toEqual([unknown, unknown, unknown])
  const missing = new ApiError('not_found', 'There is no such user.')
  expect(tryAll(openWithOwner('server').catalog)).toEqual([missing, missing, missing])
})

test('what belongs to a user goes with the organization', () => {
  const { catalog, organizationId, owner, path } = openWithOwner()
  catalog.sessions.open(owner.id, CLIENT)
  catalog.users.reset(owner.id)
  catalog.audit.record({ organizationId, action: 'user.invite', subject: owner.id, detail: { mail: owner.mail } })
  expect(catalog.deletions.deleteOrganization(organizationId)).toMatchObject({ keys: 0, users: 1 })
  expect([catalog.users.list(), catalog.audit.list({ limit: 9 }), catalog.integrityCheck()]).toEqual([[], [], []])
  catalog.checkpoint()
  catalog.close()
  expect(catalogFiles(path).filter((bytes) => bytes.includes('ana@acme.com'))).toEqual([])
})

test('nothing of users changes while their organization moves, but sessions begin and end', () => {
  const { catalog, invite, organizationId, owner } = openWithOwner()
  const { secret } = catalog.users.reset(owner.id)
  const { user } = invite('ben@acme.com', 'owner')
  catalog.moves.stop(organizationId)
  const changes = [
    () => invite('cem@acme.com'),
    () => catalog.users.accept(secret, 'x'),
    () => catalog.users.setRole(user.id, 'member'),
    () => catalog.users.revoke(user.id),
  ]
  for (const change of changes) expect(change).toThrow(/Changes of this organization are stopped/)
  const { value } = catalog.sessions.open(owner.id, CLIENT)
  catalog.users.setLastSignIn(owner.id)
  expect(catalog.sessions.authenticate(value)?.user.mail).toBe('ana@acme.com')
})
