import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/ids.ts'
import { OPERATIONS } from '../../../src/http/dashboard/operations/index.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import { openBrowser } from './support/browser.ts'

let service: TestService
let organizationId: string
let strangers: string
beforeAll(async () => {
  service = await openTestService()
  organizationId = service.app.catalog.organizations.create({ name: 'Acme' }).id
  strangers = service.app.catalog.organizations.create({ name: 'Bolt' }).id
})
afterAll(() => service.close())

let people = 0

/** Somebody who just typed their password. */
function join(role: 'owner' | 'member', of = organizationId, isConfirmed = true) {
  const { users, sessions } = service.app.catalog
  const given = { organizationId: of, mail: `p${++people}@acme.com`, role, inviter: 'test' }
  const user = users.accept(users.invite(given).secret, 'none')
  if (user === undefined) throw new Error('the invitation was not accepted')
  const browser = openBrowser(service)
  browser.plant(sessions.open(user.id, { address: null, client: 'test', isConfirmed }).value)
  return { user, browser }
}

const entries = (of = organizationId) => service.app.catalog.audit.list({ organizationId: of, limit: 500 })

/** Holds what an operation gave against its schema. */
function expectShape(operation: string, body: unknown): void {
  const { response } = OPERATIONS.find((each) => each.operation === operation) ?? {}
  if (response === undefined) throw new Error(`there is no operation ${operation}`)
  expect(v.safeParse(response, body).issues).toBeUndefined()
}

describe('keys', () => {
  test('are made by owners, shown once, listed without their value, and revoked', async () => {
    const { user, browser } = join('owner')
    const made = await browser.post('/keys', { name: ' reporting ', permission: 'write', expires_in_days: 90 })
    expectShape('createKey', made.body)
    const { key, value } = made.body.data
    expect(key).toMatchObject({ name: 'reporting', permission: 'write', creator: user.mail, status: 'active' })
    expect(service.app.catalog.keys.authenticate(value)?.organization.id).toBe(organizationId)
    expect(entries()[0]).toMatchObject({
      actor: user.mail,
      action: 'key.create',
      subject: key.id,
      detail: { name: 'reporting', permission: 'write', expires_in_days: 90 },
    })
    const { body: listed } = await browser.get('/keys')
    expectShape('listKeys', listed)
    expect(listed.data).toContainEqual(key)
    expect(JSON.stringify(listed)).not.toContain(value.slice(4))
    const revoked = await browser.post(`/keys/${key.id}/revoke`)
    expectShape('revokeKey', revoked.body)
    expect(revoked.body.data.status).toBe('revoked')
    expect(service.app.catalog.keys.authenticate(value)).toBeUndefined()
    expect(entries()[0]).toMatchObject({ action: 'key.revoke', subject: key.id, detail: { name: 'reporting' } })
    const count = entries().length
    expect((await browser.post(`/keys/${key.id}/revoke`)).body.data).toEqual(revoked.body.data)
    expect(entries()).toHaveLength(count)
    expect(service.log.join('')).not.toContain(value)
  })

  test('of another organization do not exist', async () => {
    const { key } = service.app.catalog.keys.create({
      name: 'theirs',
      expiresInDays: 30,
      creator: 'x',
      organizationId: strangers,
    })
    const { browser } = join('owner')
    expect((await browser.get('/keys')).body.data.map(({ id }: { id: string }) => id)).not.toContain(key.id)
    const theirs = await browser.post(`/keys/${key.id}/revoke`)
    const none = await browser.post(`/keys/${newId('key', 0)}/revoke`)
    expect([theirs.status, theirs.body.error.message]).toEqual([404, none.body.error.message])
    expect(service.app.catalog.keys.list(strangers)[0]?.revokedAt).toBeNull()
    expect(entries(strangers)).toEqual([])
  })

  test.each([
    [{ name: '', permission: 'read', expires_in_days: 30 }, 'name'],
    [{ name: ' ', permission: 'read', expires_in_days: 30 }, 'name'],
    [{ name: 'k'.repeat(201), permission: 'read', expires_in_days: 30 }, 'name'],
    [{ name: 'k', permission: 'admin', expires_in_days: 30 }, 'permission'],
    [{ name: 'k', permission: 'read', expires_in_days: 31 }, 'expires_in_days'],
    [{ name: 'k', permission: 'read', expires_in_days: 30, organization: 'x' }, 'organization'],
  ])('%j is refused for its %s', async (body, path) => {
    const count = service.app.catalog.keys.list().length
    const answer = await join('owner').browser.post('/keys', body)
    expect([answer.status, answer.body.error.details.map((detail: { path: string }) => detail.path)]).toEqual([
      400,
      [path],
    ])
    expect(service.app.catalog.keys.list()).toHaveLength(count)
  })
})

describe('members', () => {
  test('are invited with a link that is shown once, and come by it', async () => {
    const { user: owner, browser } = join('owner')
    const mail = `new-${++people}@acme.com`
    const invited = await browser.post('/members', { mail: mail.toUpperCase(), role: 'member' })
    expectShape('inviteMember', invited.body)
    const { member, link } = invited.body.data
    expect(member).toMatchObject({ mail, role: 'member', status: 'invited', last_sign_in_at: null })
    expect(link).toMatch(new RegExp(`^${service.url}/sign-in#[\\w-]{43}$`))
    expect(entries()[0]).toMatchObject({
      actor: owner.mail,
      action: 'user.invite',
      subject: member.id,
      detail: { mail, role: 'member' },
    })
    expect(JSON.stringify(entries())).not.toContain(link.split('#')[1])
    const newcomer = openBrowser(service)
    const password = 'a long enough password'
    const { body } = await newcomer.post('/links/use', { secret: link.split('#')[1], password })
    expect(body.data.user).toEqual({ id: member.id, mail, role: 'member' })
    const { body: listed } = await browser.get('/members')
    expectShape('listMembers', listed)
    expect(listed.data).toContainEqual(expect.objectContaining({ id: member.id, status: 'active' }))
    const again = await browser.post('/members', { mail, role: 'member' })
    expect([again.status, again.body.error.message]).toEqual([400, `${mail} is a user already.`])
    expect((await browser.post('/members', { mail: 'no address', role: 'member' })).status).toBe(400)
  })

  test('are revoked at once, also an owner by himself while there is another', async () => {
    const { browser } = join('owner')
    const second = join('owner')
    const member = join('member')
    const revoked = await browser.post(`/members/${member.user.id}/revoke`)
    expectShape('revokeMember', revoked.body)
    expect(revoked.body.data.member.status).toBe('revoked')
    expect((await member.browser.get('/session')).status).toBe(401)
    expect(entries()[0]).toMatchObject({ action: 'user.revoke', subject: member.user.id })
    const count = entries().length
    await browser.post(`/members/${member.user.id}/revoke`)
    expect(entries()).toHaveLength(count)
    expect((await second.browser.post(`/members/${second.user.id}/revoke`)).status).toBe(200)
    expect((await second.browser.get('/session')).status).toBe(401)
  })

  test('get a link to choose another password', async () => {
    const { browser } = join('owner')
    const member = join('member')
    const reset = await browser.post(`/members/${member.user.id}/reset`)
    expectShape('resetMember', reset.body)
    expect(entries()[0]).toMatchObject({ action: 'user.reset', subject: member.user.id })
    const secret = reset.body.data.link.split('#')[1]
    expect((await openBrowser(service).post('/links/look', { secret })).body.data).toMatchObject({ kind: 'reset' })
  })

  test('change their role, which holds from the next request on', async () => {
    const { browser } = join('owner')
    const other = join('member')
    expect((await other.browser.get('/keys')).status).toBe(403)
    const changed = await browser.post(`/members/${other.user.id}/role`, { role: 'owner' })
    expectShape('setMemberRole', changed.body)
    expect(entries()[0]).toMatchObject({ action: 'user.role', detail: { role: 'owner', before: 'member' } })
    expect((await other.browser.get('/keys')).status).toBe(200)
    const count = entries().length
    await browser.post(`/members/${other.user.id}/role`, { role: 'owner' })
    expect(entries()).toHaveLength(count)
  })

  test('the last owner stays', async () => {
    const alone = service.app.catalog.organizations.create({ name: 'Solo' }).id
    const { user, browser } = join('owner', alone)
    const member = join('member', alone)
    for (const [path, body, what] of [
      ['revoke', {}, 'revoked'],
      ['role', { role: 'member' }, 'made a member'],
    ] as const) {
      const { status, body: answer } = await browser.post(`/members/${user.id}/${path}`, body)
      expect([status, answer.error.code, answer.error.message]).toEqual([
        400,
        'invalid_request',
        `${user.mail} is the only owner who can sign in, and cannot be ${what}. Make somebody else an owner first.`,
      ])
    }
    expect((await member.browser.post(`/members/${user.id}/revoke`)).status).toBe(403)
    expect(entries(alone)).toEqual([])
  })

  test('of another organization do not exist', async () => {
    const { browser } = join('owner')
    const theirs = join('owner', strangers)
    const ids = (await browser.get('/members')).body.data.map(({ id }: { id: string }) => id)
    expect(ids).not.toContain(theirs.user.id)
    for (const [path, body] of [
      ['revoke', {}],
      ['reset', {}],
      ['role', { role: 'member' }],
    ] as const) {
      const answer = await browser.post(`/members/${theirs.user.id}/${path}`, body)
      const none = await browser.post(`/members/${newId('usr', 0)}/${path}`, body)
      expect([answer.status, answer.body.error.message]).toEqual([404, none.body.error.message])
    }
    expect((await theirs.browser.get('/session')).status).toBe(200)
  })
})

test('what needs a password again is refused without it', async () => {
  const { browser, user } = join('owner', organizationId, false)
  const calls = [
    ['/keys', { name: 'k', permission: 'read', expires_in_days: 30 }],
    ['/keys/key_x/revoke', {}],
    ['/members', { mail: 'x@acme.com', role: 'member' }],
    [`/members/${user.id}/revoke`, {}],
    [`/members/${user.id}/reset`, {}],
    [`/members/${user.id}/role`, { role: 'owner' }],
  ] as const
  const count = entries().length
  for (const [path, body] of calls) {
    const answer = await browser.post(path, body)
    expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'password_required'])
  }
  expect(entries()).toHaveLength(count)
})

test('the audit is listed page by page, to owners of the organization', async () => {
  const alone = service.app.catalog.organizations.create({ name: 'Pages' }).id
  const { browser } = join('owner', alone)
  for (let i = 0; i < 5; i++)
    service.app.catalog.audit.record({ organizationId: alone, action: 'test.make', subject: `s${i}` })
  const first = await browser.get('/audit?limit=3')
  expectShape('listAudit', first.body)
  expect(first.body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['s4', 's3', 's2'])
  const second = await browser.get(`/audit?limit=3&cursor=${first.body.info.next_cursor}`)
  expect(second.body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['s1', 's0'])
  expect(second.body.info).toEqual({ count: 2, next_cursor: null })
  expect((await browser.get('/audit?cursor=x')).body.error.code).toBe('invalid_cursor')
  const other = join('owner', strangers)
  const stolen = await other.browser.get(`/audit?cursor=${first.body.info.next_cursor}`)
  expect(stolen.body.data).toEqual([])
  expect((await join('member', alone).browser.get('/audit')).status).toBe(403)
})
