import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DOCUMENT } from '../support/documented.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('GET /v1/openapi.json', () => {
  it('gives the document without a key', async () => {
    const { status, body } = await service.send({ path: '/v1/openapi.json' })
    expect({ status, body }).toEqual({ status: 200, body: JSON.parse(JSON.stringify(DOCUMENT)) })
  })

  it('asks for no quota and shows none', async () => {
    const { headers } = await service.send({ path: '/v1/openapi.json', key: world.readKey })
    expect(headers).not.toHaveProperty('ratelimit')
  })
})

describe('GET /v1/me', () => {
  it.each([
    ['read', 'a read key'],
    ['write', 'a write key'],
  ] as const)('shows a %s key, its organization and the limits', async (permission, name) => {
    const { status, body } = await service.send({ path: '/v1/me', key: world[`${permission}Key`] })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          key: { id: expect.stringMatching(/^key_/), name, permission, expires_at: TIMESTAMP },
          organization: { id: world.organizationId, name: 'Acme Inc', plan: 'enterprise' },
          rate_limits: { requests_per_minute: 10_000_000, writes_per_minute: 10_000_000 },
        },
      },
    })
  })
})

describe('GET /v1/sites', () => {
  it("lists the organization's sites and no other", async () => {
    const { status, body } = await service.send({ path: '/v1/sites', key: world.readKey })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: world.site.id,
            name: 'Acme',
            domain: 'acme.com',
            created_at: TIMESTAMP,
            platforms: ['ai_overviews', 'ai_mode', 'chatgpt', 'perplexity', 'gemini', 'copilot', 'claude'],
            last_answer_scan: null,
          },
        ],
      },
    })
  })
})

describe('GET /v1/sites/{site_id}', () => {
  it('shows the site with its last scan', async () => {
    service.app.catalog.scans.record(world.site.id, [
      { day: '2026-11-20', platform: 'chatgpt', promptNos: [1], answers: 1, noAnswers: 0 },
    ])
    const { status, body } = await service.send({ path: `/v1/sites/${world.site.id}`, key: world.readKey })
    expect({ status, scan: body.data.last_answer_scan, id: body.data.id }).toEqual({
      status: 200,
      scan: { date: '2026-11-20', status: 'partial' },
      id: world.site.id,
    })
  })

  it('takes an id with its characters escaped', async () => {
    const escaped = Buffer.from(world.site.id).toString('hex').replaceAll(/../g, '%$&')
    const { status } = await service.send({ path: `/v1/sites/${escaped}`, key: world.readKey })
    expect(status).toBe(200)
  })
})

describe('GET /v1/sites/{site_id}/competitors', () => {
  it('lists confirmed and unconfirmed competitors in the order of creation', async () => {
    const { status, body } = await service.send({ path: `/v1/sites/${world.site.id}/competitors`, key: world.readKey })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: expect.stringMatching(/^cmp_/),
            name: 'Globex',
            domains: ['globex.com'],
            confirmed: true,
            source: 'manual',
          },
          { id: expect.stringMatching(/^cmp_/), name: 'Initech', domains: [], confirmed: false, source: 'manual' },
        ],
      },
    })
  })
})

describe('GET /v1/platforms', () => {
  it('lists the seven engines in their order', async () => {
    const { status, body } = await service.send({ path: '/v1/platforms', key: world.readKey })
    expect(status).toBe(200)
    expect(body.data.map((engine: { id: string }) => engine.id)).toEqual([
      'ai_overviews',
      'ai_mode',
      'chatgpt',
      'perplexity',
      'gemini',
      'copilot',
      'claude',
    ])
    expect(body.data.every((engine: { available: boolean }) => engine.available)).toBe(true)
  })

  it('says of an engine that the operator switched off that it is not available', async () => {
    const other = await openTestService({
      change: (app) => ({ ...app, config: { ...app.config, enginesOff: ['copilot'] } }),
    })
    onTestFinished(() => other.close())
    const { body } = await other.send({ path: '/v1/platforms', key: createWorld(other).readKey })
    expect(body.data.filter((engine: { available: boolean }) => !engine.available)).toEqual([
      { id: 'copilot', name: 'Microsoft Copilot', available: false },
    ])
  })
})
