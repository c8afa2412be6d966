import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../../src/domain/user.ts'
import { storeCheaply } from '../../sign-in/support/cheap-password.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import { createTestClock } from '../../catalog/support/test-catalog.ts'
import { type Browser, openBrowser } from './support/browser.ts'

const PASSWORD = 'correct horse battery'
const HOUR_MS = 3_600_000
const clock = createTestClock(Date.parse('2026-11-20T10:00:00.000Z'))

let service: TestService
let organizationId: string
beforeAll(async () => {
  service = await openTestService({ clock })
  organizationId = service.app.catalog.organizations.create({ name: 'Acme' }).id
})
afterAll(() => service.close())

let people = 0
const invite = (role: 'owner' | 'member' = 'member') =>
  service.app.catalog.users.invite({ organizationId, mail: `p${++people}@acme.com`, role, inviter: 'test' })

/** Somebody who has a password, and sits before a browser. */
function join(role?: 'owner' | 'member') {
  const { user, secret } = invite(role)
  service.app.catalog.users.accept(secret, storeCheaply(PASSWORD))
  const browser = openBrowser(service)
  const signIn = (password = PASSWORD) => browser.post('/sign-in', { mail: user.mail, password })
  return { user, browser, signIn }
}

/** The session of a browser that is signed in. */
const sessionOf = (browser: Browser) => service.app.catalog.sessions.authenticate(browser.session()!)!.session

const newest = () => service.app.catalog.audit.list({ organizationId, limit: 1 })[0]

describe('signing in', () => {
  test('gives a session, shows who is there, and is noted', async () => {
    const { user, browser, signIn } = join('owner')
    const { status, body, headers } = await signIn()
    expect([status, body]).toEqual([
      200,
      {
        data: {
          user: { id: user.id, mail: user.mail, role: 'owner' },
          organization: { id: organizationId, name: 'Acme', plan: 'enterprise' },
          has_password: true,
          version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        },
      },
    ])
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-answerlake=[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect((await browser.get('/session')).body).toEqual(body)
    expect(newest()).toMatchObject({
      actor: user.mail,
      action: 'session.begin',
      subject: sessionOf(browser).id,
      detail: { by: 'password', address: '127.0.0.1' },
    })
    expect(service.app.catalog.users.find(user.id)?.lastSignInAt).toBe('2026-11-20T10:00:00.000Z')
    expect(service.log.join('')).not.toContain(PASSWORD)
    expect(service.log.join('')).not.toContain(browser.session())
  })

  test('fails with one answer for every cause', async () => {
    const { user } = join()
    const revoked = join()
    service.app.catalog.users.revoke(revoked.user.id)
    const invited = invite()
    const browser = openBrowser(service)
    const answers = []
    for (const mail of [user.mail, revoked.user.mail, invited.user.mail, 'nobody@acme.com']) {
      const { status, body } = await browser.post('/sign-in', { mail, password: 'a wrong password' })
      answers.push([status, body.error.code, body.error.message])
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toEqual([401, 'sign_in_failed', 'The mail address or the password is wrong.'])
    expect(browser.session()).toBeUndefined()
    // The address has failed four times; a right password clears it for the tests to come.
    expect((await join().signIn()).status).toBe(200)
  })

  test('waits after five failures, whatever the password, and says how long', async () => {
    const { signIn } = join()
    for (let i = 0; i < 5; i++) expect((await signIn('a wrong password')).status).toBe(401)
    const refused = await signIn()
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '10',
    ])
    clock.nowMs += 10_000
    expect((await signIn()).status).toBe(200)
  })

  test('never takes a value that the browser brings, and ends the session that it brings', async () => {
    const { browser, signIn } = join()
    const planted = newSecret()
    browser.plant(planted)
    expect((await browser.get('/session')).status).toBe(401)
    await signIn()
    const first = browser.session()
    expect(first).not.toBe(planted)
    expect(service.app.catalog.sessions.authenticate(planted)).toBeUndefined()
    await signIn()
    expect(browser.session()).not.toBe(first)
    expect(service.app.catalog.sessions.authenticate(first ?? '')).toBeUndefined()
    const victim = join()
    victim.browser.plant(browser.session() ?? '')
    await victim.signIn()
    expect((await victim.browser.get('/session')).body.data.user.mail).toBe(victim.user.mail)
    expect((await browser.get('/session')).status).toBe(401)
  })
})

describe('a session', () => {
  test('ends when it is idle for 12 hours, and after 7 days', async () => {
    const idle = join()
    await idle.signIn()
    clock.nowMs += 12 * HOUR_MS
    expect((await idle.browser.get('/session')).body.error.code).toBe('not_signed_in')
    const busy = join()
    await busy.signIn()
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      expect((await busy.browser.get('/session')).status).toBe(200)
      clock.nowMs += 8 * HOUR_MS
    }
    expect((await busy.browser.get('/session')).status).toBe(401)
  })

  test('ends by signing out, and the cookie goes', async () => {
    const { browser, signIn } = join()
    await signIn()
    const value = browser.session() ?? ''
    const id = sessionOf(browser).id
    expect((await browser.post('/sign-out')).status).toBe(200)
    expect(browser.session()).toBeUndefined()
    expect(newest()).toMatchObject({ action: 'session.end', subject: id })
    browser.plant(value)
    expect((await browser.get('/session')).status).toBe(401)
  })

  test('is listed with the others of its user, who ends them one by one; those of others do not exist', async () => {
    const { user, browser, signIn } = join()
    await signIn()
    const mine = sessionOf(browser)
    const elsewhere = openBrowser(service)
    await elsewhere.post('/sign-in', { mail: user.mail, password: PASSWORD })
    const other = sessionOf(elsewhere)
    const stranger = join('owner')
    await stranger.signIn()
    const rows = (await browser.get('/sessions')).body.data
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(
      expect.objectContaining({ id: mine.id, is_current: true, address: '127.0.0.1', client: 'Firefox' }),
    )
    expect((await browser.post(`/sessions/${sessionOf(stranger.browser).id}/end`)).status).toBe(404)
    expect((await stranger.browser.get('/session')).status).toBe(200)
    expect((await browser.post(`/sessions/${other.id}/end`)).status).toBe(200)
    expect((await elsewhere.get('/session')).status).toBe(401)
    expect((await browser.post(`/sessions/${other.id}/end`)).status).toBe(404)
    await browser.post(`/sessions/${mine.id}/end`)
    expect(browser.session()).toBeUndefined()
  })

  test('is confirmed by the password again; a wrong one counts as a failed try', async () => {
    const { browser, signIn } = join()
    await signIn()
    clock.nowMs += 600_000
    const wrong = await browser.post('/confirm-password', { password: 'a wrong password' })
    expect([wrong.status, wrong.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'password_required', message: 'The password is wrong.' }),
    ])
    const { body } = await browser.post('/confirm-password', { password: PASSWORD })
    const until = new Date(clock.nowMs + 600_000).toISOString()
    expect(body).toEqual({ data: { confirmed_until: until } })
    expect(sessionOf(browser).confirmedAt).toBe(new Date(clock.nowMs).toISOString())
    expect(newest()).toMatchObject({ action: 'session.confirm' })
    for (let i = 0; i < 5; i++) await browser.post('/confirm-password', { password: 'a wrong password' })
    expect((await browser.post('/confirm-password', { password: PASSWORD })).status).toBe(429)
    clock.nowMs += 3_600_000
  })
})

describe('a one-time link', () => {
  test('of an invitation shows what it is for, takes a password, and works once', async () => {
    const { secret, user, expiresAt } = invite('owner')
    const browser = openBrowser(service)
    expect((await browser.post('/links/look', { secret })).body).toEqual({
      data: { kind: 'invitation', mail: user.mail, role: 'owner', organization: 'Acme', expires_at: expiresAt },
    })
    for (const [password, message] of [
      [undefined, 'Required. Add it.'],
      ['short', 'Use at least 12 characters.'],
    ]) {
      const { status, body } = await browser.post('/links/use', { secret, password })
      expect([status, body.error.details]).toEqual([400, [{ path: 'password', message }]])
    }
    const { status, body } = await browser.post('/links/use', { secret, password: PASSWORD })
    expect([status, body.data.user]).toEqual([200, { id: user.id, mail: user.mail, role: 'owner' }])
    expect((await browser.get('/session')).status).toBe(200)
    expect(newest()).toMatchObject({ actor: user.mail, action: 'session.begin', detail: { by: 'invitation' } })
    for (const [path, given] of [
      ['/links/look', {}],
      ['/links/use', { password: PASSWORD }],
    ] as const) {
      const again = await browser.post(path, { secret, ...given })
      expect([again.status, again.body.error.code]).toEqual([404, 'link_expired'])
    }
    expect((await openBrowser(service).post('/sign-in', { mail: user.mail, password: PASSWORD })).status).toBe(200)
  })

  test('signs in with a value that the server chose, and ends the session that the browser brings', async () => {
    const browser = openBrowser(service)
    const planted = newSecret()
    browser.plant(planted)
    expect((await browser.post('/links/use', { secret: invite().secret, password: PASSWORD })).status).toBe(200)
    const first = browser.session() ?? ''
    expect(first).not.toBe(planted)
    expect((await browser.post('/links/use', { secret: invite().secret, password: PASSWORD })).status).toBe(200)
    expect(browser.session()).not.toBe(first)
    const { sessions } = service.app.catalog
    expect([planted, first].map((value) => sessions.authenticate(value))).toEqual([undefined, undefined])
  })

  test('is used by one of two who use it at once', async () => {
    const { secret } = invite()
    const answers = await Promise.all(
      [1, 2, 3].map(() => openBrowser(service).post('/links/use', { secret, password: PASSWORD })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })

  test('is over after a day, and after a newer one; the rest of the world has none', async () => {
    const { secret, user } = invite()
    const { secret: newer } = invite()
    clock.nowMs += 24 * HOUR_MS
    const replaced = service.app.catalog.users.reset(user.id).secret
    service.app.catalog.users.reset(user.id)
    for (const text of [secret, newer, replaced, '', 'x', newSecret()]) {
      const { status, body } = await openBrowser(service).post('/links/look', { secret: text })
      expect([status, body.error.code]).toEqual([404, 'link_expired'])
    }
  })

  test('of a reset takes a new password, and ends the sessions elsewhere', async () => {
    const { user, browser, signIn } = join()
    await signIn()
    const { secret } = service.app.catalog.users.reset(user.id)
    expect((await signIn()).status).toBe(200)
    const other = openBrowser(service)
    expect((await other.post('/links/use', { secret, password: 'another long password' })).status).toBe(200)
    expect((await browser.get('/session')).status).toBe(401)
    expect((await signIn()).status).toBe(401)
    expect((await signIn('another long password')).status).toBe(200)
  })

  test('that signs in does so at once, and needs no password', async () => {
    const { user } = invite('owner')
    const { secret } = service.app.catalog.users.createLink(user.id)
    const browser = openBrowser(service)
    expect((await browser.post('/links/look', { secret })).body.data.kind).toBe('sign_in')
    const { body } = await browser.post('/links/use', { secret })
    expect(body.data.has_password).toBe(false)
    expect(sessionOf(browser).confirmedAt).toEqual(expect.any(String))
    const refused = await browser.post('/confirm-password', { password: PASSWORD })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed'])
    expect((await openBrowser(service).post('/links/use', { secret })).status).toBe(404)
  })
})

test('the ways to sign in are told to everybody', async () => {
  expect((await openBrowser(service).get('/ways-to-sign-in')).body).toEqual({
    data: { password: true, oidc: null, is_allowed: true },
  })
})
