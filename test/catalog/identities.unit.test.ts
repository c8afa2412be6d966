import { expect, test } from 'vitest'
import { openTestCatalog } from './support/test-catalog.ts'

const ISSUER = 'https://id.acme.com'

function openWithOwner() {
  const opened = openTestCatalog()
  const { catalog } = opened
  const { id: organizationId } = catalog.organizations.create({ name: 'Acme' })
  const invite = (mail: string, role: 'owner' | 'member') =>
    catalog.users.invite({ organizationId, mail, role, inviter: 'root' })
  const owner = catalog.users.accept(invite('ana@acme.com', 'owner').secret, 'hash')
  if (!owner) throw new Error('the invitation was not accepted')
  const admit = (subject: string, mail: string, role?: 'owner' | 'member') =>
    catalog.identities.admit({ organizationId, issuer: ISSUER, subject, mail, role })
  const enter = (...given: Parameters<typeof admit>) => {
    const admission = admit(...given)
    if ('refusal' in admission) throw new Error(admission.refusal)
    return admission
  }
  return { ...opened, organizationId, owner, invite, admit, enter }
}

test('an identity becomes a user at its first sign-in, and stays that one under another address', () => {
  const { catalog, clock, enter, organizationId } = openWithOwner()
  const { user, changed } = enter('s1', 'ben@acme.com')
  expect(changed).toEqual(['created'])
  expect(user).toMatchObject({ organizationId, mail: 'ben@acme.com', role: 'member', hasPassword: false })
  expect(user.lastSignInAt).toBe('2026-11-20T07:03:09.120Z')
  clock.nowMs += 1_000
  const again = enter('s1', 'benjamin@acme.com')
  expect(again).toEqual({ user: { ...user, lastSignInAt: '2026-11-20T07:03:10.120Z' }, changed: [] })
  expect(catalog.users.list()).toHaveLength(2)
})

test('an identity becomes that of the user with its address, whose invitation is then used up', () => {
  const { catalog, enter, invite, owner } = openWithOwner()
  const { secret, user } = invite('ben@acme.com', 'owner')
  expect(enter('s1', 'ben@acme.com')).toMatchObject({ user: { id: user.id, role: 'owner' }, changed: ['linked'] })
  expect(catalog.users.findBySecret(secret)).toBeUndefined()
  expect(enter('s2', 'ana@acme.com')).toMatchObject({ user: { id: owner.id, hasPassword: true }, changed: ['linked'] })
})

test('an address that another identity has is not taken over', () => {
  const { admit, enter } = openWithOwner()
  enter('s1', 'ben@acme.com')
  expect(admit('s2', 'ben@acme.com')).toEqual({ refusal: 'the address is a user with another identity' })
})

test('who was revoked stays out, by identity and by address, until invited again', () => {
  const { admit, catalog, enter, invite } = openWithOwner()
  const { user } = enter('s1', 'ben@acme.com')
  catalog.users.revoke(user.id)
  const refusal = { refusal: 'the user was revoked' }
  expect([admit('s1', 'ben@acme.com'), admit('s1', 'new@acme.com'), admit('s9', 'ben@acme.com')]).toEqual([
    refusal,
    refusal,
    refusal,
  ])
  const { user: invited } = invite('ben@acme.com', 'member')
  expect(enter('s1', 'ben@acme.com')).toMatchObject({ user: { id: invited.id }, changed: ['linked'] })
  expect(enter('s1', 'ben@acme.com').changed).toEqual([])
})

test('users of another organization are neither taken over nor told of', () => {
  const { admit, catalog, enter } = openWithOwner()
  const bolt = catalog.organizations.create({ name: 'Bolt' }).id
  catalog.users.invite({ organizationId: bolt, mail: 'eve@acme.com', role: 'member', inviter: 'x' })
  expect(admit('s1', 'eve@acme.com')).toEqual({ refusal: 'the address is a user of another organization' })
  enter('s2', 'ben@acme.com')
  expect(
    catalog.identities.admit({ organizationId: bolt, issuer: ISSUER, subject: 's2', mail: 'x@b.com', role: undefined }),
  ).toEqual({ refusal: 'the identity is a user of another organization' })
  expect(catalog.users.list(bolt)).toHaveLength(1)
})

test('the groups decide the role at each sign-in, but the only owner stays one', () => {
  const { catalog, enter, owner } = openWithOwner()
  const roles = (role: 'owner' | 'member' | undefined) => {
    const { user, changed } = enter('s1', 'ben@acme.com', role)
    return [user.role, changed]
  }
  expect(roles('owner')).toEqual(['owner', ['created']])
  expect(roles('member')).toEqual(['member', ['role']])
  expect(roles('owner')).toEqual(['owner', ['role']])
  expect(roles(undefined)).toEqual(['owner', []])
  catalog.users.revoke(owner.id)
  expect(roles('member')).toEqual(['owner', []])
})

test('nobody new is let in while their organization moves', () => {
  const { admit, catalog, organizationId } = openWithOwner()
  catalog.moves.stop(organizationId)
  expect(() => admit('s1', 'ben@acme.com')).toThrow(/are stopped/)
})
