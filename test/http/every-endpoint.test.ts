import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '../../src/http/endpoints/index.ts'
import type { AnyEndpoint } from '../../src/http/endpoint.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

const PRIVATE = ENDPOINTS.filter((endpoint) => endpoint.access !== 'public')
const WITH_SITE = PRIVATE.filter((endpoint) => endpoint.path.includes('{site_id}') || bodyOf(endpoint, 'x').site_id)
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

const named = (endpoints: readonly AnyEndpoint[]) =>
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

function pathOf(endpoint: AnyEndpoint, siteId: string): string {
  return endpoint.path.replace('{site_id}', siteId)
}

/** With its question mark; empty where nothing is needed. */
function queryOf(endpoint: AnyEndpoint): string {
  const query = new URLSearchParams(Object(endpoint.example.query) as Record<string, string>)
  return query.size === 0 ? '' : `?${query.toString()}`
}

function bodyOf(endpoint: AnyEndpoint, siteId: string): Record<string, unknown> {
  const body = { ...(endpoint.example.body as Record<string, unknown> | undefined) }
  return 'site_id' in body ? { ...body, site_id: siteId } : body
}

/** The endpoint's own example, about a site. */
function request(endpoint: AnyEndpoint, siteId: string) {
  return {
    method: endpoint.method,
    path: pathOf(endpoint, siteId) + queryOf(endpoint),
    ...(endpoint.body === undefined ? {} : { body: bodyOf(endpoint, siteId) }),
  }
}

/** The text of an answer without what differs from request to request. */
const withoutId = (text: string) => text.replace(/req_[0-9a-z]{26}/, 'req')

describe('the key', () => {
  const headersOf: Readonly<Record<string, () => Record<string, string | string[]>>> = {
    'no key': () => ({}),
    'an empty key': () => ({ 'x-api-key': '' }),
    'a text that is no key': () => ({ 'x-api-key': 'secret' }),
    'a key with a wrong checksum': () => ({
      'x-api-key': world.readKey.slice(0, -1) + (world.readKey.endsWith('0') ? '1' : '0'),
    }),
    'a key cut short': () => ({ 'x-api-key': world.readKey.slice(0, -2) }),
    'a revoked key': () => ({ 'x-api-key': world.revokedKey }),
    'two keys that disagree': () => ({ 'x-api-key': world.readKey, authorization: `Bearer ${world.writeKey}` }),
    'a good key and an empty bearer': () => ({ 'x-api-key': world.readKey, authorization: 'Bearer' }),
    'the same header twice with two keys': () => ({ 'x-api-key': [world.readKey, world.writeKey] }),
    'another scheme': () => ({ authorization: `Basic ${world.readKey}` }),
    'no scheme': () => ({ authorization: world.readKey }),
  }

  it.each(named(PRIVATE))('%s answers every bad key with one and the same 401', async (_name, endpoint) => {
    const texts = new Set<string>()
    for (const headers of Object.values(headersOf)) {
      const answer = await service.send({ ...request(endpoint, world.site.id), headers: headers() })
      expect([answer.status, answer.headers['www-authenticate'], answer.body.error.code]).toEqual([
        401,
        'Bearer',
        'invalid_api_key',
      ])
      expect(answer.headers).not.toHaveProperty('ratelimit')
      texts.add(withoutId(answer.text))
    }
    expect(texts.size).toBe(1)
  })

  it.each([
    ['X-API-Key', () => ({ 'x-api-key': world.readKey })],
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${world.readKey}` })],
    ['the scheme in any case', () => ({ authorization: `bEARER  ${world.readKey}` })],
    ['both headers that agree', () => ({ 'x-api-key': world.readKey, authorization: `Bearer ${world.readKey}` })],
    [
      "a proxy's own Authorization beside X-API-Key",
      () => ({ 'x-api-key': world.readKey, authorization: 'Basic dTpw' }),
    ],
  ])('is taken from %s', async (_name, headers) => {
    expect((await service.send({ path: '/v1/me', headers: headers() })).status).toBe(200)
  })

  it.each(named(PRIVATE))(
    '%s refuses an organization without a live plan, before it looks at the request',
    async (_name, endpoint) => {
      const answer = await service.send({
        ...request(endpoint, world.site.id),
        key: world.lapsedKey,
        headers: { 'content-type': 'text/plain' },
      })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'plan_required'])
    },
  )

  it.each(named(PRIVATE.filter(({ access }) => access === 'write')))(
    '%s refuses a key that may only read',
    async (_name, endpoint) => {
      const answer = await service.send({
        ...request(endpoint, world.site.id),
        key: world.readKey,
        headers: { 'content-type': 'text/plain' },
      })
      expect([answer.status, answer.body.error.code]).toEqual([403, 'insufficient_permission'])
    },
  )
})

describe('the request', () => {
  it.each(named(ENDPOINTS))('%s refuses unknown query parameters', async (_name, endpoint) => {
    const { path, ...rest } = request(endpoint, world.site.id)
    const answer = await service.send({
      ...rest,
      path: `${path}${path.includes('?') ? '&' : '?'}surprise=1&limits=2`,
      key: world.writeKey,
    })
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_request',
        details: [
          { path: 'surprise', message: 'Unknown field. Remove it.' },
          { path: 'limits', message: 'Unknown field. Remove it.' },
        ],
      }),
    ])
  })

  it.each(named(ENDPOINTS.filter(({ body }) => body)))('%s refuses unknown body fields', async (_name, endpoint) => {
    const body = JSON.stringify({ ...bodyOf(endpoint, world.site.id), surprise: 1 }).replace(
      '}',
      ',"__proto__":1,"constructor":2}',
    )
    const answer = await service.send({ ...request(endpoint, world.site.id), key: world.writeKey, body })
    expect([answer.status, answer.body.error.details?.map(({ path }: { path: string }) => path).toSorted()]).toEqual([
      400,
      expect.arrayContaining(['surprise']),
    ])
    expect(answer.body.error.details.length).toBeGreaterThanOrEqual(3)
  })

  it.each(named(WITH_SITE))(
    "%s answers another organization's site like one that does not exist",
    async (_name, endpoint) => {
      const foreign = await service.send({ ...request(endpoint, world.otherSite.id), key: world.writeKey })
      const missing = await service.send({ ...request(endpoint, 'site_missing'), key: world.writeKey })
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 'not_found'])
      expect(withoutId(foreign.text)).toBe(withoutId(missing.text))
      expect(Object.keys(foreign.headers)).toEqual(Object.keys(missing.headers))
    },
  )
})

describe('the method', () => {
  const paths = [...new Set(ENDPOINTS.map(({ path }) => path)), '/healthz', '/readyz']

  it.each(paths)('on %s is refused with Allow unless it is one of the path', async (path) => {
    const allowed = ENDPOINTS.filter((endpoint) => endpoint.path === path).flatMap(({ method }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
    const allow = allowed.length === 0 ? ['GET', 'HEAD'] : allowed
    for (const method of METHODS.filter((name) => !allow.includes(name))) {
      const answer = await service.send({ method, path: path.replace('{site_id}', world.site.id) })
      expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, allow.join(', ')])
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('method_not_allowed')
    }
  })

  it.each(named(ENDPOINTS.filter(({ method }) => method === 'GET')))(
    'HEAD is answered like %s',
    async (_name, endpoint) => {
      const get = await service.send({ ...request(endpoint, world.site.id), key: world.readKey })
      const head = await service.send({ ...request(endpoint, world.site.id), method: 'HEAD', key: world.readKey })
      const steady = ({
        'x-request-id': _id,
        date: _date,
        ratelimit: _left,
        connection: _c,
        'keep-alive': _k,
        ...headers
      }: Record<string, unknown>) => headers
      expect([head.status, steady(head.headers)]).toEqual([get.status, steady(get.headers)])
      expect(head.text).toBe('')
    },
  )

  it.each(named(ENDPOINTS.filter(({ method }) => method === 'GET')))(
    'HEAD is checked like %s',
    async (_name, endpoint) => {
      const path = pathOf(endpoint, world.site.id)
      const answers = await Promise.all([
        service.send({ method: 'HEAD', path: `${path}?surprise=1`, key: world.readKey }),
        service.send({ method: 'HEAD', path: `${path}?api_key=x`, key: world.readKey }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([400, 400])
    },
  )
})

describe('the path', () => {
  const variants: readonly ((path: string) => string)[] = [
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.replace('/v1/', '/v1//'),
    (path) => path.replace('/v1/', '/v1%2F'),
    (path) => path.replace('/v1/', '/V1/'),
    (path) => path.replace('/v1/', '/v2/'),
    (path) => path.replace('/v1/', '/v1/./'),
    (path) => path.replace('/v1/', '/v1/x/../'),
    (path) => path.replace('/v1/', '/v1/%2e%2e/v1/'),
    (path) => path.replace('/v1/', '/v1/%252e%252e/v1/'),
    (path) => `${path}%00`,
    (path) => `${path}%20`,
    (path) => `${path}.json`,
    (path) => `${path};a=1`,
    (path) => `${path}%2F`,
    (path) => `/api${path}`,
  ]

  it.each(named(ENDPOINTS))('%s is answered on its own path only', async (_name, endpoint) => {
    const { path: _withQuery, ...rest } = request(endpoint, world.site.id)
    const path = pathOf(endpoint, world.site.id)
    for (const vary of variants) {
      const answer = await service.send({ ...rest, path: vary(path), key: world.writeKey })
      expect([vary(path), answer.status, answer.body.error.code]).toEqual([vary(path), 404, 'not_found'])
    }
  })

  it.each([
    '/',
    '/v1',
    '/v1/',
    '/favicon.ico',
    '/v1/sites/x/prompts/y',
    '/v1/reports',
    '/metrics',
    '/healthz/',
    '/v1/%',
    '/v1/%E0%A4%A',
  ])('knows nothing at %s, and asks no key for that', async (path) => {
    const answer = await service.send({ path })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
  })

  it('is no site when it holds an escaped slash', async () => {
    const answer = await service.send({ path: '/v1/sites/a%2Fb', key: world.readKey })
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
  })
})
