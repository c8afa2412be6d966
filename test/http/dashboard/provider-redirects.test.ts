import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { startServer } from '../../../src/http/server.ts'
import { openProviderBrowser } from '../../sign-in/support/openid-provider.ts'
import { openVouchedService } from './support/vouched-service.ts'

const SESSION = '__Host-answerlake'
const JOURNEY = `${SESSION}-journey`

/** A browser that keeps its cookies. From the provider's page it comes back without that of the session, which is `Strict`. */
function openVisitor(url: string) {
  const jar = new Map<string, string>()
  const atProvider = openProviderBrowser()
  const go = async (target: string, { isCrossSite = false } = {}) => {
    const sent = [...jar].filter(([name]) => !isCrossSite || name !== SESSION)
    const cookie = sent.map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(target, { redirect: 'manual', headers: { cookie, 'user-agent': 'Firefox' } })
    const cookies = answer.headers.getSetCookie()
    for (const line of cookies) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { answer, cookies, location: answer.headers.get('location') ?? '' }
  }
  const me = async () => {
    const { answer } = await go(`${url}/ui/v1/session`)
    // oxlint-disable-next-line typescript/no-explicit-any
    const { data } = (await answer.json()) as any
    return data
  }
  return {
    jar,
    go,
    me,
    leave: (query = '') => go(`${url}/ui/sign-in/oidc${query}`),
    async signIn(account: string, query = '') {
      const { location } = await go(`${url}/ui/sign-in/oidc${query}`)
      const { back } = await atProvider.visit(location, account)
      return go(back.href, { isCrossSite: true })
    },
    atProvider,
  }
}

test('who is vouched for gets an account and a session, and comes to the page that was asked for', async () => {
  const { app, organizationId, url, log } = await openVouchedService('owners')
  expect(await (await fetch(`${url}/ui/v1/ways-to-sign-in`)).json()).toMatchObject({ data: { oidc: { name: 'Acme' } } })
  const ana = openVisitor(url)
  const { cookies } = await ana.leave()
  expect(cookies).toEqual([
    expect.stringMatching(/^__Host-answerlake-journey=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
  ])
  const came = await ana.signIn('ana', '?to=/sites/acme.com/visibility')
  expect([came.answer.status, came.location]).toEqual([303, '/sites/acme.com/visibility'])
  expect(came.cookies.toSorted()).toEqual([
    '__Host-answerlake-journey=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax',
    expect.stringMatching(/^__Host-answerlake=[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
  ])
  expect(came.answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await ana.me()).toMatchObject({
    user: { mail: 'ana@acme.com', role: 'owner' },
    organization: { id: organizationId },
    has_password: false,
  })
  expect(app.catalog.sessions.authenticate(ana.jar.get(SESSION) ?? '')?.session.confirmedAt).toBeNull()
  const [entry] = app.catalog.audit.list({ organizationId, limit: 1 })
  expect(entry).toMatchObject({
    actor: 'ana@acme.com',
    action: 'session.begin',
    detail: { by: 'openid', changed: ['created'] },
  })
  const ben = openVisitor(url)
  await ben.signIn('ben')
  expect((await ben.me()).user.role).toBe('member')
  expect(log.join('')).not.toMatch(/code=|state=|ana@acme/)
})

test('who confirms may change keys; the session before ends', async () => {
  const { app, url } = await openVouchedService()
  const ana = openVisitor(url)
  await ana.signIn('ana')
  const before = ana.jar.get(SESSION) ?? ''
  const { location } = await ana.signIn('ana', '?confirm=1&to=/settings/keys')
  expect(location).toBe('/settings/keys')
  expect(app.catalog.sessions.authenticate(ana.jar.get(SESSION) ?? '')?.session.confirmedAt).toEqual(expect.any(String))
  expect(app.catalog.sessions.authenticate(before)).toBeUndefined()
})

test('a journey names the session of its own browser by what only the server and that browser know', async () => {
  const { app, url } = await openVouchedService()
  const [ana, ben] = [openVisitor(url), openVisitor(url)]
  await ana.signIn('ana')
  const value = ana.jar.get(SESSION) ?? ''
  const { id } = app.catalog.sessions.authenticate(value)!.session
  const journeyOf = (visitor: typeof ana): object =>
    JSON.parse(Buffer.from(visitor.jar.get(JOURNEY) ?? '', 'base64url').toString()) as object
  await ana.leave()
  expect(journeyOf(ana)).toMatchObject({ session: createHash('sha256').update(value).digest('base64url') })
  await ben.leave()
  expect(journeyOf(ben)).not.toHaveProperty('session')
  ben.jar.set(SESSION, 'x'.repeat(43))
  await ben.leave()
  expect(journeyOf(ben)).not.toHaveProperty('session')
  for (const guess of [id, '', 'x'.repeat(43)]) {
    const { location } = await ben.leave()
    ben.jar.set(JOURNEY, Buffer.from(JSON.stringify({ ...journeyOf(ben), session: guess })).toString('base64url'))
    const { back } = await ben.atProvider.visit(location, 'ben')
    expect((await ben.go(back.href, { isCrossSite: true })).location).toBe('/')
  }
  expect(app.catalog.sessions.authenticate(value)?.user.mail).toBe('ana@acme.com')
})

test('the session before stays when somebody is not let in', async () => {
  const { app, url } = await openVouchedService()
  const visitor = openVisitor(url)
  await visitor.signIn('ana')
  const value = visitor.jar.get(SESSION) ?? ''
  const { back } = await openProviderBrowser().visit((await visitor.leave()).location, 'eve')
  expect((await visitor.go(back.href, { isCrossSite: true })).location).toBe('/sign-in?failed=not_let_in')
  expect(app.catalog.sessions.authenticate(value)?.user.mail).toBe('ana@acme.com')
})

test('a path that the journey has no room for is not kept', async () => {
  const { url } = await openVouchedService()
  const visitor = openVisitor(url)
  await visitor.signIn('ana')
  const toPath = (characters: number): string => '/sites/acme.com/'.padEnd(characters, 'a')
  const { cookies } = await visitor.leave(`?to=${toPath(2_000)}`)
  expect(cookies[0]?.split(';')[0]?.length).toBeLessThan(4_096)
  expect((await visitor.signIn('ana', `?to=${toPath(2_000)}`)).location).toBe(toPath(2_000))
  expect((await visitor.signIn('ana', `?to=${toPath(2_001)}`)).location).toBe('/')
})

test('who is not let in, or comes back to another browser, goes to the page for signing in', async () => {
  const { app, url, log } = await openVouchedService()
  const eve = openVisitor(url)
  const refused = await eve.signIn('eve')
  expect([refused.location, eve.jar.size]).toEqual(['/sign-in?failed=not_let_in', 0])
  expect(log.at(-1)).toContain('"refusal":"mail addresses of evil.example are not let in"')
  const ana = openVisitor(url)
  const { back } = await ana.atProvider.visit((await ana.leave()).location, 'ana')
  const other = openVisitor(url)
  expect((await other.go(back.href)).location).toBe('/sign-in?failed=provider_failed')
  await other.leave()
  expect((await other.go(back.href)).location).toBe('/sign-in?failed=provider_failed')
  expect(other.jar.size).toBe(0)
  expect((await ana.go(back.href)).location).toBe('/')
  expect((await ana.go(back.href)).location).toBe('/sign-in?failed=provider_failed')
  const [user] = app.catalog.users.list()
  app.catalog.users.invite({ organizationId: user!.organizationId, mail: 'x@acme.com', role: 'owner', inviter: 'x' })
  app.catalog.users.revoke(user!.id)
  expect((await openVisitor(url).signIn('ana')).location).toBe('/sign-in?failed=not_let_in')
  expect(log.at(-1)).toContain('"refusal":"the user was revoked"')
})

test.each([
  '//evil.example',
  'https://evil.example',
  '/sites/../../x',
  '/\\evil.example',
  '/sites/a\nb',
  '/ui/v1/keys',
  'javascript:1',
])('nobody is sent to %j', async (to) => {
  const { url } = await openVouchedService()
  const { location } = await openVisitor(url).signIn('ana', `?to=${encodeURIComponent(to)}`)
  expect(location).toBe(to.startsWith('/sites/..') ? to : '/')
  expect(new URL(location, url).origin).toBe(url)
})

test('without a provider the paths are unknown', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'answerlake-oidc-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const config = parseConfig({ dataDir, environment: {} }, {}, '')
  const app = await openApp(config, { mode: 'server', create: true })
  onTestFinished(() => app[Symbol.asyncDispose]())
  const { connections, connectionsPerAddress } = config
  const log = { write: () => {} }
  const server = await startServer(app, { host: '127.0.0.1', port: 0, log, connections, connectionsPerAddress })
  onTestFinished(() => server.close())
  for (const path of ['/ui/sign-in/oidc', '/ui/sign-in/oidc/callback'])
    expect((await fetch(`${server.url}${path}`)).status).toBe(404)
})
