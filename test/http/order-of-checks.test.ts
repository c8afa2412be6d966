import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestRequest, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
let cursor: string
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
  const first = await service.send({ path: `/v1/sites/${world.site.id}/prompts?limit=1`, key: world.readKey })
  cursor = first.body.info.next_cursor
})
afterAll(() => service.close())

const DAYS = { start_date: '2026-11-01', end_date: '2026-11-20' }
function report(change: object): TestRequest {
  return {
    method: 'POST',
    path: '/v1/reports/visibility',
    key: world.readKey,
    body: { site_id: world.site.id, ...DAYS, ...change },
  }
}
function status(change: Partial<TestRequest>): TestRequest {
  return {
    method: 'PATCH',
    path: `/v1/sites/${world.site.id}/prompts/status`,
    key: world.writeKey,
    body: { prompt_ids: ['a'], status: 'active' },
    ...change,
  }
}

/** Each request is wrong in two ways; the first check in the order of contract/api 2.4 must be the one that answers. */
const CASES: readonly (readonly [what: string, request: () => TestRequest, status: number, code: string])[] = [
  ['a key in the URL before an unknown path', () => ({ path: '/v1/nothing?api_key=x' }), 400, 'api_key_in_url'],
  [
    'a key in the URL before a wrong method',
    () => ({ method: 'DELETE', path: '/v1/me?token=x' }),
    400,
    'api_key_in_url',
  ],
  ['a key in the URL before a missing key', () => ({ path: '/v1/me?key=x' }), 400, 'api_key_in_url'],
  ['a key in the URL before a path with a slash too many', () => ({ path: '/v1/me/?key=x' }), 400, 'api_key_in_url'],
  ['an unknown path before a missing key', () => ({ path: '/v1/nothing' }), 404, 'not_found'],
  ['a wrong method before a missing key', () => ({ method: 'DELETE', path: '/v1/me' }), 405, 'method_not_allowed'],
  [
    'a bad key before a wrong content type',
    () => status({ key: 'x', headers: { 'content-type': 'text/plain' } }),
    401,
    'invalid_api_key',
  ],
  ['a lapsed plan before permission and body', () => status({ key: world.lapsedKey, body: 'x' }), 403, 'plan_required'],
  [
    'permission before the content type',
    () => status({ key: world.readKey, headers: { 'content-type': 'text/plain' } }),
    403,
    'insufficient_permission',
  ],
  [
    'permission before the site',
    () => status({ key: world.readKey, path: '/v1/sites/none/prompts/status' }),
    403,
    'insufficient_permission',
  ],
  [
    'the plan before the format',
    () => ({ ...report({}), key: world.lapsedKey, headers: { accept: 'image/png' } }),
    403,
    'plan_required',
  ],
  [
    'the format before the content type',
    () => ({ ...report({}), headers: { accept: 'image/png', 'content-type': 'text/plain' } }),
    406,
    'not_acceptable',
  ],
  [
    'the format of a list before its parameters',
    () => ({ path: '/v1/sites?x=1', key: world.readKey, headers: { accept: 'image/png' } }),
    406,
    'not_acceptable',
  ],
  [
    'the content type before the size',
    () => status({ body: ' '.repeat(1_100_000), headers: { 'content-type': 'text/plain' } }),
    415,
    'unsupported_media_type',
  ],
  ['the size before the syntax', () => status({ body: ' '.repeat(1_100_000) }), 413, 'payload_too_large'],
  [
    'the syntax before unknown parameters',
    () => status({ path: `/v1/sites/${world.site.id}/prompts/status?x=1`, body: '{' }),
    400,
    'invalid_json',
  ],
  ['faults before the site', () => report({ site_id: 'none', limit: 0 }), 400, 'invalid_request'],
  [
    'a bad pattern before the site',
    () => report({ site_id: 'none', filter: { field: 'prompt', op: 'matches', value: '(' } }),
    400,
    'invalid_request',
  ],
  ['faults before the cursor', () => report({ limit: 0, cursor: 'x' }), 400, 'invalid_request'],
  ['the cursor before the site', () => report({ site_id: 'none', cursor: 'x' }), 400, 'invalid_cursor'],
  ['the cursor of another list before the site', () => report({ site_id: 'none', cursor }), 400, 'invalid_cursor'],
  ['the site before what needs it', () => report({ site_id: 'none', brands: ['Nobody'] }), 404, 'not_found'],
  [
    'the site before the prompts',
    () => status({ path: `/v1/sites/${world.otherSite.id}/prompts/status` }),
    404,
    'not_found',
  ],
]

it.each(CASES)('%s', async (_what, request, expected, code) => {
  const answer = await service.send(request())
  expect([answer.status, answer.body.error.code]).toEqual([expected, code])
})

it('what needs the site is told with its path', async () => {
  const { status, body } = await service.send(report({ brands: ['Acme', 'Nobody', 'globex'] }))
  expect([status, body.error.code, body.error.details.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    'invalid_request',
    ['brands.1'],
  ])
})
