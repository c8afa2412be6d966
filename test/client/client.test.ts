import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
  client = createClient({ baseUrl: service.url, apiKey: world.writeKey })
})
afterAll(() => service.close())

it('reads what the key may read, typed', async () => {
  const { data } = await client.GET('/v1/sites/{site_id}', { params: { path: { site_id: world.site.id } } })
  const domain: string | undefined = data?.data.domain
  expect(domain).toBe('acme.com')
})

it('walks pages', async () => {
  const texts: string[] = []
  let cursor: string | null | undefined
  do {
    const { data, error } = await client.GET('/v1/sites/{site_id}/prompts', {
      params: { path: { site_id: world.site.id }, query: { limit: 2, ...(cursor && { cursor }) } },
    })
    if (error) throw new Error(error.error.message)
    texts.push(...data.data.map((prompt) => prompt.text))
    cursor = data.info.next_cursor
  } while (cursor)
  expect(texts).toEqual(['What is the best tool for small teams?', 'Acme or Globex?', 'What does Acme cost?'])
})

it('changes prompts', async () => {
  const { data } = await client.PATCH('/v1/sites/{site_id}/prompts', {
    params: { path: { site_id: world.site.id } },
    body: { prompts: [{ id: world.promptIds[0] ?? '', market: 'Oslo' }], dry_run: true },
  })
  expect(data?.data.map(({ market }) => market)).toEqual(['Oslo'])
})

it('asks for reports, leaving out what has a default', async () => {
  const { data } = await client.POST('/v1/reports/sentiment', {
    body: {
      site_id: world.site.id,
      start_date: '2026-11-01',
      end_date: '2026-11-20',
      filter: {
        and: [
          { field: 'platform', op: 'in', value: ['chatgpt', 'claude'] },
          { not: { field: 'prompt', op: 'contains', value: 'cost' } },
        ],
      },
    },
  })
  expect(data).toEqual({
    info: {
      site_id: world.site.id,
      start_date: '2026-11-01',
      end_date: '2026-11-20',
      count: 1,
      total_results: 1,
      next_cursor: null,
    },
    data: [{ positive: 0, neutral: 0, negative: 0, answers_mentioning: 0, answers: 0 }],
  })
})

it('gives errors as values, with their codes', async () => {
  const { error, response } = await client.GET('/v1/sites/{site_id}', {
    params: { path: { site_id: world.otherSite.id } },
  })
  expect([response.status, error?.error.code]).toEqual([404, 'not_found'])
})

it('does not typecheck with a value that the API does not know', () => {
  const wrong = () =>
    client.POST('/v1/answers', {
      // @ts-expect-error -- no engine has this id
      body: { site_id: 'x', start_date: '2026-11-01', end_date: '2026-11-20', platforms: ['bard'] },
    })
  expect(wrong).toBeInstanceOf(Function)
})

it('never sends its key along a redirect', async () => {
  const seen: unknown[] = []
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers['x-api-key'])
    response.end('{}')
  })
  const redirecting = createServer((_, response) => {
    response.writeHead(307, { location: `http://localhost:${portOf(elsewhere)}/v1/me` }).end()
  })
  for (const server of [elsewhere, redirecting]) await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => [elsewhere, redirecting].forEach((server) => server.close()))
  const careful = createClient({ baseUrl: `http://127.0.0.1:${portOf(redirecting)}`, apiKey: world.readKey })
  await expect(careful.GET('/v1/me')).rejects.toThrow('fetch failed')
  expect(seen).toEqual([])
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port
