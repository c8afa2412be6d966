import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Catalog, openCatalog } from '../../src/catalog/catalog.ts'
import type { Clock } from '../../src/clock.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

const clock: Clock & { nowMs: number } = { nowMs: 0, now: () => clock.nowMs }
let service: TestService
let world: World
/** Another connection to the same catalog, as the command line has it while the server runs. */
let catalog: Catalog
beforeEach(async () => {
  clock.nowMs = Date.parse('2026-11-20T07:03:09.120Z')
  service = await openTestService({ clock })
  world = createWorld(service)
  catalog = openCatalog(join(service.dataDir, 'catalog.sqlite'), { mode: 'command', clock })
})
afterEach(async () => {
  catalog.close()
  await service.close()
})

const me = (key: string) => service.send({ path: '/v1/me', key })
const createKey = (permission: 'read' | 'write' = 'read') =>
  catalog.keys.create({
    name: 'k',
    expiresInDays: 30,
    permission,
    organizationId: world.organizationId,
    creator: 'test',
  })

describe('a key', () => {
  it('works from the moment it is made', async () => {
    expect((await me(createKey().value)).status).toBe(200)
  })

  it('is refused on the very next request after it was revoked', async () => {
    const { key, value } = createKey()
    expect((await me(value)).status).toBe(200)
    catalog.keys.revoke(key.id)
    expect((await me(value)).status).toBe(401)
  })

  it('expires to the millisecond', async () => {
    const { key, value } = createKey()
    clock.nowMs = Date.parse(key.expiresAt) - 1
    expect((await me(value)).status).toBe(200)
    clock.nowMs = Date.parse(key.expiresAt)
    expect((await me(value)).status).toBe(401)
  })

  it('loses access at once with the plan, and has it back at once', async () => {
    const statuses = []
    for (const change of [
      { plan: 'pro' },
      { plan: 'enterprise' },
      { planStatus: 'lapsed' },
      { planStatus: 'live' },
      { plan: 'free' },
    ] as const) {
      catalog.organizations.set(world.organizationId, change)
      statuses.push((await me(world.readKey)).status)
    }
    expect(statuses).toEqual([403, 200, 403, 200, 403])
  })

  it('has its last use noted without a write for each request', async () => {
    const { key, value } = createKey()
    const version = catalog.version()
    for (let i = 0; i < 5; i++) await me(value)
    expect(catalog.version()).toBe(version)
    service.app.catalog.keys.flushLastUsed()
    expect(catalog.keys.list(world.organizationId).find(({ id }) => id === key.id)?.lastUsedAt).toBe(
      '2026-11-20T07:03:09.120Z',
    )
  })
})

describe('the rate limit', () => {
  const setLimits = (requestsPerMinute: number, writesPerMinute: number) =>
    catalog.organizations.set(world.organizationId, { requestsPerMinute, writesPerMinute })
  const write = (key: string, body: unknown = { prompt_ids: ['a'], status: 'active', dry_run: true }) =>
    service.send({ method: 'PATCH', path: `/v1/sites/${world.site.id}/prompts/status`, key, body })

  it('is told on every answer to a request with a valid key', async () => {
    setLimits(10, 5)
    const { value } = createKey('write')
    const answers = [
      await me(value),
      await write(value),
      await service.send({ path: '/v1/sites/none', key: value }),
      await service.send({ path: '/v1/me?x=1', key: value }),
      await service.send({
        method: 'POST',
        path: '/v1/answers',
        key: value,
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      }),
    ]
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers['ratelimit-policy'],
        String(headers['ratelimit']).replaceAll(/;t=\d+/g, ''),
      ]),
    ).toEqual(
      [
        [200, 9, 5],
        [200, 8, 4],
        [404, 7, 4],
        [400, 6, 4],
        [415, 5, 4],
      ].map(([status, requests, writes]) => [
        status,
        '"requests";q=10;w=60, "writes";q=5;w=60',
        `"requests";r=${requests}, "writes";r=${writes}`,
      ]),
    )
  })

  it('lets the whole limit pass at once, then answers 429 with the time to wait', async () => {
    setLimits(5, 20)
    const { value } = createKey()
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await me(value))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    const { headers, body } = answers[5]!
    expect(body.error).toEqual({
      code: 'rate_limited',
      message: expect.stringMatching(/^The key has used its 5 requests a minute\. Try again in 1\d s\.$/),
      request_id: headers['x-request-id'],
    })
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(11)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(12)
    expect(headers['ratelimit']).toBe(`"requests";r=0;t=${String(headers['retry-after'])}, "writes";r=20;t=0`)
  })

  it('counts dry runs and requests with faults as writes, and reading not', async () => {
    setLimits(600, 3)
    const { value } = createKey('write')
    const statuses = [
      (await write(value)).status,
      (await write(value, { faulty: true })).status,
      (await write(value)).status,
      (await write(value)).status,
      (await me(value)).status,
    ]
    expect(statuses).toEqual([200, 400, 200, 429, 200])
  })

  it('counts keys of one organization apart', async () => {
    setLimits(1, 20)
    const [first, second] = [createKey().value, createKey().value]
    expect([(await me(first)).status, (await me(first)).status, (await me(second)).status]).toEqual([200, 429, 200])
  })

  it('follows the organization at once when its limits change', async () => {
    setLimits(1, 20)
    const { value } = createKey()
    const statuses = [(await me(value)).status, (await me(value)).status]
    setLimits(10, 20)
    const raised = await me(value)
    expect([...statuses, raised.status, raised.headers['ratelimit-policy'], raised.body.data.rate_limits]).toEqual([
      200,
      429,
      200,
      '"requests";q=10;w=60, "writes";q=20;w=60',
      { requests_per_minute: 10, writes_per_minute: 20 },
    ])
  })

  it('is shown but not used up while the plan is lapsed', async () => {
    setLimits(600, 20)
    const { value } = createKey()
    catalog.organizations.set(world.organizationId, { planStatus: 'lapsed' })
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await me(value)
      expect([status, headers['ratelimit']]).toEqual([403, '"requests";r=600;t=0, "writes";r=20;t=0'])
    }
  })

  it('is judged after the plan and before permission and body', async () => {
    setLimits(600, 1)
    const { value } = createKey('read')
    const answers = [await write(value), await write(value, 'no json')]
    expect(answers.map(({ status }) => status)).toEqual([403, 429])
  })
})

describe('a site', () => {
  it('is served from the moment it is made, and changed at once', async () => {
    const site = catalog.sites.create({ name: 'New', domain: 'new.example', organizationId: world.organizationId })
    const get = () => service.send({ path: `/v1/sites/${site.id}`, key: world.readKey })
    expect((await get()).body.data.name).toBe('New')
    catalog.sites.set(site.id, { name: 'Newer' })
    expect((await get()).body.data.name).toBe('Newer')
  })
})
