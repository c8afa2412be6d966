import { request as sendRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { UI_PUBLIC_RATE, UI_RATE } from '../../../src/people-limits.ts'
import { openTestService, type TestRequest, type TestService } from '../../support/http.ts'
import { createWorld, type World } from '../../support/world.ts'
import { type Person, signIn } from './support/person.ts'

const HOUR_MS = 3_600_000

let nowMs = Date.parse('2026-11-20T08:00:00.000Z')
let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService({ clock: { now: () => nowMs } })
  world = createWorld(service)
})
afterAll(() => service.close())

let owner: Person
beforeEach(() => {
  owner = signIn(service, { organizationId: world.organizationId, role: 'owner' })
})

const outcome = async (request: TestRequest, of: TestService = service) => {
  const { status, body } = await of.send(request)
  return [status, body?.error?.code ?? 'none']
}
const SITES = '/ui/v1/sites'
const SIGNED_OUT = [401, 'not_signed_in']
const change = (of: World = world): TestRequest => ({
  method: 'PATCH',
  path: `/ui/v1/sites/${of.site.id}/prompts/status`,
  body: { prompt_ids: [of.promptIds[0]], status: 'active', dry_run: true },
})

describe('a session', () => {
  test('ends after 12 hours without a request, and after 7 days of them', async () => {
    nowMs += 12 * HOUR_MS - 1
    expect(await outcome({ path: SITES, headers: owner.headers })).toEqual([200, 'none'])
    nowMs += 12 * HOUR_MS
    expect(await outcome({ path: SITES, headers: owner.headers })).toEqual(SIGNED_OUT)

    const diligent = signIn(service, { organizationId: world.organizationId, role: 'owner' })
    for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
      nowMs += 6 * HOUR_MS
      expect(await outcome({ path: SITES, headers: diligent.headers })).toEqual([200, 'none'])
    }
    nowMs += 6 * HOUR_MS
    expect(await outcome({ path: SITES, headers: diligent.headers })).toEqual(SIGNED_OUT)
  })

  test('is unknown from the moment that it is ended, or its user revoked', async () => {
    const { sessions, users } = service.app.catalog
    const member = signIn(service, { organizationId: world.organizationId, role: 'member' })
    expect(await outcome({ path: SITES, headers: member.headers })).toEqual([200, 'none'])
    users.revoke(member.user.id)
    expect(await outcome({ path: SITES, headers: member.headers })).toEqual(SIGNED_OUT)
    sessions.end(owner.session.id)
    expect(await outcome({ path: SITES, headers: owner.headers })).toEqual(SIGNED_OUT)
  })

  test('that ends while the body of its request arrives changes nothing', async () => {
    const { catalog } = service.app
    const body = JSON.stringify({ prompt_ids: [world.promptIds[0]], status: 'disabled' })
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const { port } = new URL(service.url)
    const headers = { ...owner.headers, 'content-type': 'application/json', 'content-length': body.length }
    const request = sendRequest(
      { host: '127.0.0.1', port, method: 'PATCH', path: change().path, headers },
      (response) => {
        resolve(response.resume().statusCode)
      },
    )
    request.once('error', reject)
    request.write(body.slice(0, 10))
    await outcome({ path: SITES, headers: owner.headers })
    catalog.sessions.end(owner.session.id)
    request.end(body.slice(10))
    expect(await promise).toBe(401)
    expect(catalog.prompts.listByIds(world.site.id, [world.promptIds[0]!])[0]?.status).toBe('active')
  })

  test('is none when two cookies disagree, or the value is somebody’s guess', async () => {
    const { cookie } = owner.headers
    const guess = `__Host-answerlake=${'A'.repeat(43)}`
    for (const sent of [`${cookie}; ${guess}`, guess, '__Host-answerlake=', 'answerlake=x', `x${cookie}`]) {
      expect([sent, await outcome({ path: SITES, headers: { ...owner.headers, cookie: sent } })]).toEqual([
        sent,
        SIGNED_OUT,
      ])
    }
    const among = `theme=dark; ${cookie}; other=1`
    expect(await outcome({ path: SITES, headers: { ...owner.headers, cookie: among } })).toEqual([200, 'none'])
  })

  test('needs no Enterprise plan, unlike a key', async () => {
    const { catalog } = service.app
    const lapsed = catalog.organizations.create({ name: 'Lapsed Ltd', planStatus: 'lapsed' })
    const person = signIn(service, { organizationId: lapsed.id, role: 'member' })
    expect(await outcome({ path: SITES, headers: person.headers })).toEqual([200, 'none'])
    expect(await outcome({ path: '/v1/sites', key: world.lapsedKey })).toEqual([403, 'plan_required'])
  })

  test('has limits of its own, which are its user’s', async () => {
    const again = signIn(service, { organizationId: world.organizationId, role: 'owner' })
    const { headers } = owner
    let sent = 0
    let answer = await service.send({ ...change(), headers })
    // While they are sent a few more become free.
    for (; answer.status === 200 && sent < 2 * UI_RATE.writesPerMinute; sent++)
      answer = await service.send({ ...change(), headers })
    expect(sent).toBeGreaterThanOrEqual(UI_RATE.writesPerMinute - 1)
    const { status, body, headers: answered } = answer
    expect([status, body.error.code, Number(answered['retry-after']) >= 1]).toEqual([429, 'rate_limited', true])
    expect(await outcome({ path: SITES, headers })).toEqual([200, 'none'])
    expect(await outcome({ ...change(), headers: again.headers })).toEqual([200, 'none'])
  })
})

test('with nobody signed in an address has limits, those who are signed in go on', async () => {
  const ask = () => service.send({ path: '/ui/v1/ways-to-sign-in', headers: { 'sec-fetch-site': 'same-origin' } })
  let sent = 0
  let answer = await ask()
  for (; answer.status === 200 && sent < 2 * UI_PUBLIC_RATE.requestsPerMinute; sent++) answer = await ask()
  expect(sent).toBeGreaterThanOrEqual(UI_PUBLIC_RATE.requestsPerMinute - 1)
  expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited'])
  expect(await outcome({ path: SITES, headers: owner.headers })).toEqual([200, 'none'])
})

describe('the two ways in', () => {
  test('/v1 reads no cookie', async () => {
    expect(await outcome({ path: '/v1/sites', headers: owner.headers })).toEqual([401, 'invalid_api_key'])
    const { body } = await service.send({ path: '/v1/sites', key: world.otherKey, headers: owner.headers })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([world.otherSite.id])
  })

  test('/ui reads no key, in whatever header', async () => {
    for (const headers of [{ 'x-api-key': world.writeKey }, { authorization: `Bearer ${world.writeKey}` }]) {
      expect(await outcome({ path: SITES, headers })).toEqual(SIGNED_OUT)
      const both = { ...owner.headers, ...headers, 'x-api-key': world.otherKey }
      const { body } = await service.send({ path: SITES, headers: both })
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([world.site.id])
    }
  })

  test('a key in a URL is refused on both, and named in the log', async () => {
    const path = `${SITES}?x=${world.writeKey}`
    expect(await outcome({ path, headers: owner.headers })).toEqual([400, 'api_key_in_url'])
    const line = JSON.parse(service.log.at(-1) ?? '{}')
    expect(line.key_id).toMatch(/^key_/)
    expect(service.log.join('')).not.toContain(world.writeKey)
    expect(service.log.join('')).not.toContain(owner.headers.cookie.split('=')[1])
  })

  test('the log names the user, and neither has what only the other has', async () => {
    await service.send({ path: SITES, headers: owner.headers })
    expect(JSON.parse(service.log.at(-1) ?? '{}')).toMatchObject({
      route: SITES,
      key_id: null,
      org_id: world.organizationId,
      user_id: owner.user.id,
    })
    for (const path of ['/ui/v1/me', '/ui/v1/openapi.json', '/ui', '/ui/v2/sites', '/v1/session', '/v1/lake']) {
      const request = { path, key: path.startsWith('/v1') ? world.readKey : undefined, headers: owner.headers }
      expect([path, ...(await outcome(request))]).toEqual([path, 404, 'not_found'])
    }
    expect(await outcome({ method: 'DELETE', path: SITES, headers: owner.headers })).toEqual([
      405,
      'method_not_allowed',
    ])
    expect((await service.send({ method: 'HEAD', path: SITES, headers: owner.headers })).status).toBe(200)
  })
})

describe('a change', () => {
  const without = (name: string): Record<string, string> =>
    Object.fromEntries(Object.entries(owner.headers).filter(([header]) => header !== name))

  test('needs the origin of the dashboard itself', async () => {
    const send = (headers: Record<string, string>) => outcome({ ...change(), headers })
    expect(await send(owner.headers)).toEqual([200, 'none'])
    expect(await send(without('sec-fetch-site'))).toEqual([200, 'none'])
    for (const headers of [
      without('origin'),
      { ...owner.headers, origin: 'null' },
      { ...owner.headers, origin: 'https://evil.example' },
      { ...owner.headers, origin: service.url.replace('http:', 'https:') },
      { ...owner.headers, origin: `${service.url}0` },
      { ...owner.headers, origin: `${service.url}, ${service.url}` },
      { ...owner.headers, 'sec-fetch-site': 'cross-site' },
      { ...owner.headers, 'sec-fetch-site': 'same-site' },
      { ...owner.headers, 'sec-fetch-site': 'none' },
    ]) {
      expect([headers, await send(headers)]).toEqual([headers, [403, 'cross_site']])
    }
  })

  test('is JSON: no form of another page can send it', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const headers = { ...owner.headers, 'content-type': type }
      expect(await outcome({ ...change(), headers })).toEqual([415, 'unsupported_media_type'])
    }
  })

  test('that only reads may come from the address bar, and from no other site', async () => {
    const read = (site: string) => outcome({ path: SITES, headers: { ...owner.headers, 'sec-fetch-site': site } })
    expect(await read('none')).toEqual([200, 'none'])
    for (const site of ['cross-site', 'same-site', 'x']) expect(await read(site)).toEqual([403, 'cross_site'])
  })
})

describe('where it may be used', () => {
  test('a name that somebody else’s DNS leads here is refused before the session is looked at', async () => {
    for (const host of ['evil.example', `evil.example:${new URL(service.url).port}`, '192.168.0.9']) {
      const headers = { ...owner.headers, host, origin: `http://${host}` }
      expect(await outcome({ path: SITES, headers })).toEqual([403, 'not_allowed'])
      expect(await outcome({ ...change(), headers })).toEqual([403, 'not_allowed'])
    }
  })

  test('what a proxy hands on needs the public address, which is then the only other origin', async () => {
    const forwarded = { 'x-forwarded-for': '192.0.2.7' }
    expect(await outcome({ path: SITES, headers: { ...owner.headers, ...forwarded } })).toEqual([403, 'not_allowed'])

    const open = await openTestService({ settings: { public_url: 'https://lake.acme.com' } })
    onTestFinished(() => open.close())
    const theirs = createWorld(open)
    const person = signIn(open, { organizationId: theirs.organizationId, role: 'member' })
    const send = (headers: Record<string, string>) =>
      outcome({ ...change(theirs), headers: { ...person.headers, ...headers } }, open)
    const host = 'lake.acme.com'
    expect(await send({ ...forwarded, host, origin: 'https://lake.acme.com' })).toEqual([200, 'none'])
    expect(await send({ ...forwarded, origin: 'https://lake.acme.com' })).toEqual([200, 'none'])
    expect(await send({})).toEqual([200, 'none'])
    for (const origin of [open.url, 'http://lake.acme.com', 'https://lake.acme.com:444', 'https://x.lake.acme.com']) {
      expect([origin, ...(await send({ ...forwarded, host, origin }))]).toEqual([origin, 403, 'cross_site'])
    }
  })

  test('switched off, pages, files and operations are unknown', async () => {
    const off = await openTestService({ settings: { dashboard: 'false' } })
    onTestFinished(() => off.close())
    for (const path of ['/', '/sign-in', '/sites/acme.com/visibility', '/assets/x/app.js', SITES]) {
      expect([path, ...(await outcome({ path, headers: { accept: 'text/html' } }, off))]).toEqual([
        path,
        404,
        'not_found',
      ])
    }
  })
})
