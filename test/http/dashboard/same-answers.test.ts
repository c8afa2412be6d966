import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/http/endpoints/index.ts'
import { API_SAMPLES } from '../support/api-samples.ts'
import { type DemoService, openDemoService } from '../support/demo-service.ts'
import type { TestRequest } from '../../support/http.ts'
import { type Person, signIn } from './support/person.ts'

let demo: DemoService
let person: Person
beforeAll(async () => {
  demo = await openDemoService()
  const [site] = demo.app.catalog.sites.list()
  person = signIn(demo, { organizationId: site!.organizationId, role: 'member' })
})
afterAll(() => demo.close())

const SHARED = ENDPOINTS.filter(({ operation }) => operation !== 'getMe' && operation !== 'getOpenApi')

describe('the dashboard is told what the API tells', () => {
  test.each(SHARED.map((endpoint) => [endpoint.operation, endpoint] as const))(
    '%s, in every format, to the byte',
    async (name, { method, path, rows, example }) => {
      const sample = API_SAMPLES[name] ?? {}
      const target = path.replace('{site_id}', demo.siteId) + (sample.query ?? '')
      const body =
        sample.body === undefined
          ? undefined
          : { ...('site_id' in Object(example.body) && { site_id: demo.siteId }), ...sample.body }
      const formats = ['application/json', ...(rows === undefined ? [] : ['text/csv', 'application/x-ndjson'])]
      for (const accept of formats) {
        const request: TestRequest = { method, path: target, ...(body && { body }) }
        const byKey = await demo.send({ ...request, key: demo.key, headers: { accept } })
        const bySession = await demo.send({
          ...request,
          path: `/ui${target}`,
          headers: { ...person.headers, accept },
        })
        expect([accept, byKey.status]).toEqual([accept, 200])
        expect(bySession.text).toBe(byKey.text)
        const steady = ['content-type', 'content-disposition', 'x-total-results', 'x-next-cursor', 'vary']
        expect(steady.map((header) => bySession.headers[header])).toEqual(steady.map((header) => byKey.headers[header]))
      }
    },
  )

  test('page after page: a cursor of one is good for the other', async () => {
    const sites = `/v1/sites/${demo.siteId}/prompts?limit=5`
    const first = await demo.send({ path: sites, key: demo.key })
    const cursor = String(first.body.info.next_cursor)
    const byKey = await demo.send({ path: `${sites}&cursor=${cursor}`, key: demo.key })
    const bySession = await demo.send({ path: `/ui${sites}&cursor=${cursor}`, headers: person.headers })
    expect(bySession.text).toBe(byKey.text)
    expect(byKey.body.data).toHaveLength(5)
  })

  test('reports are asked for as often as reading is allowed: they are no changes', async () => {
    const body = { site_id: demo.siteId, start_date: '2026-11-09', end_date: '2026-11-15' }
    const path = '/ui/v1/reports/visibility'
    const countLeft = async (): Promise<number> => {
      const { headers } = await demo.send({ method: 'POST', path, headers: person.headers, body })
      return Number(/"writes";r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
    }
    const left = await countLeft()
    expect(left).toBeGreaterThan(0)
    // Changes of the other tests come back with time.
    expect(await countLeft()).toBeGreaterThanOrEqual(left)
  })
})
