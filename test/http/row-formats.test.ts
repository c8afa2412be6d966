import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeChangesRequests } from '../reports/support/changes-requests.ts'
import { makeBotsRequests, makeReferralsRequests } from '../reports/support/log-requests.ts'
import {
  makeAnswersRequests,
  makeCitationsRequests,
  makeSearchesRequests,
  makeSentimentRequests,
  makeVisibilityRequests,
} from '../reports/support/requests.ts'
import { serveLogs } from '../reports/support/served-logs.ts'
import { serveWorld } from '../reports/support/served-world.ts'
import type { TestResponse, TestService } from '../support/http.ts'
import { makeLogWorld } from '../support/oracle/log-world.ts'
import { makeWorld } from '../support/oracle/world.ts'

/** Requests of each report; the long form is `FORMAT_REQUESTS=50 npx vitest run test/http/row-formats`, 400 in all. */
const REQUESTS = Number(process.env['FORMAT_REQUESTS'] ?? 12)

const world = makeWorld('formats', { share: 0.03 })
const logs = makeLogWorld('formats')

/** A report, the columns that each of its rows has, and requests. */
interface Asked {
  readonly path: string
  readonly fixed: (body: Body) => readonly string[]
  readonly limitMax: number
  readonly bodies: readonly Body[]
}
type Body = Readonly<Record<string, unknown>>

const bodiesOf = (sent: readonly { readonly body: object }[]): Body[] => sent.map(({ body }) => ({ ...body }))
const BRAND = ['brand.name', 'brand.owned']
const SHARES = ['positive', 'neutral', 'negative', 'answers_mentioning', 'answers']
const CHANGE = ['value', 'previous', 'change', 'low', 'high', 'p', 'q', 'verdict', 'cells', 'excluded']
const OF_ANSWERS: readonly Asked[] = [
  {
    path: '/v1/reports/visibility',
    fixed: () => [...BRAND, 'rank'],
    limitMax: 100,
    bodies: bodiesOf(makeVisibilityRequests(world, REQUESTS)),
  },
  {
    path: '/v1/reports/citations',
    fixed: ({ entity }) => [entity === 'page' ? 'page' : 'domain', 'owner', 'source_kind', 'rank'],
    limitMax: 100,
    bodies: bodiesOf(makeCitationsRequests(world, REQUESTS)),
  },
  {
    path: '/v1/reports/sentiment',
    fixed: () => SHARES,
    limitMax: 100,
    bodies: bodiesOf(makeSentimentRequests(world, REQUESTS)),
  },
  {
    path: '/v1/reports/changes',
    fixed: () => [...BRAND, ...CHANGE],
    limitMax: 100,
    bodies: bodiesOf(makeChangesRequests(world, REQUESTS)),
  },
  {
    path: '/v1/reports/searches',
    fixed: () => ['search'],
    limitMax: 100,
    bodies: bodiesOf(makeSearchesRequests(world, REQUESTS)),
  },
  { path: '/v1/answers', fixed: () => ['id'], limitMax: 50, bodies: bodiesOf(makeAnswersRequests(world, REQUESTS)) },
]
const OF_LOGS: readonly Asked[] = [
  {
    path: '/v1/reports/bots',
    fixed: () => [],
    limitMax: 500,
    bodies: bodiesOf(makeBotsRequests(logs, REQUESTS)),
  },
  {
    path: '/v1/reports/referrals',
    fixed: () => [],
    limitMax: 500,
    bodies: bodiesOf(makeReferralsRequests(logs, REQUESTS)),
  },
]

/** What the API takes for a list that is left out. */
const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  '/v1/reports/visibility': [
    'visibility_score',
    'mention_rate',
    'citation_rate',
    'prompt_coverage',
    'average_position',
    'share_of_voice',
    'answers',
  ],
  '/v1/reports/citations': ['answers', 'citations', 'citation_share'],
  '/v1/reports/searches': ['answers', 'prompts', 'share', 'own_named'],
  '/v1/reports/bots': ['hits', 'pages', 'verified_share', 'error_hits', 'last_visit'],
  '/v1/reports/referrals': ['visits', 'landing_pages', 'last_visit'],
  '/v1/answers': [
    'prompt',
    'platform',
    'date',
    'text',
    'brand_mentioned',
    'brand_position',
    'sentiment',
    'mentions',
    'citations',
  ],
}

function expectedHeader({ path, fixed }: Asked, body: Body): string[] {
  const list = (name: string): string[] => (body[name] as string[] | undefined) ?? []
  const asked = body['metrics'] ?? body['include']
  const fields = [...list('group_by'), ...fixed(body), ...((asked as string[] | undefined) ?? DEFAULTS[path] ?? [])]
  return fields.flatMap((field) => (field === 'prompt' ? ['prompt.id', 'prompt.text'] : [field]))
}

/** The cells of a row of JSON, by the names of their columns, as the contract describes them. */
function toCells(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return [[name, guard(value.map((one) => one?.url ?? one?.id ?? one).join(' | '))]]
  if (typeof value !== 'object' || value === null) {
    return [[name, value === null ? '' : typeof value === 'string' ? guard(value) : JSON.stringify(value)]]
  }
  return Object.entries(value).flatMap(([key, member]) => toCells(member, name === '' ? key : `${name}.${key}`))
}

const guard = (text: string): string => ('=+-@\t\r'.includes(text[0] ?? '_') ? `'${text}` : text)

type Ask = (accept: string, body: object) => Promise<TestResponse>

async function compare(asked: Asked, body: Body, ask: Ask): Promise<number> {
  const { limit, ...whole } = body
  const rows: Record<string, unknown>[] = []
  let cursor: string | null | undefined
  do {
    const page = await ask('application/json', { ...whole, limit: asked.limitMax, ...(cursor && { cursor }) })
    expect(page.status, page.text).toBe(200)
    rows.push(...page.body.data)
    cursor = page.body.info.next_cursor
  } while (cursor)

  const ndjson = await ask('application/x-ndjson', whole)
  expect(ndjson.text).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const csv = await ask('text/csv', whole)
  const header = expectedHeader(asked, body)
  expectCsv(csv.text, header, rows)
  for (const { headers } of [csv, ndjson]) {
    expect(headers['x-total-results']).toBe(String(rows.length))
    expect(headers).not.toHaveProperty('x-next-cursor')
  }

  // A page, and the next one in the other format.
  const most = typeof limit === 'number' ? limit : 3
  const first = await ask('text/csv', { ...whole, limit: most })
  const { 'x-next-cursor': next, 'x-total-results': total } = first.headers
  expect([total, next !== undefined]).toEqual([
    String(rows.length),
    first.headers['content-length'] !== undefined && countRows(first.text) < rows.length,
  ])
  expectCsv(first.text, header, rows.slice(0, countRows(first.text)))
  if (next !== undefined) {
    const second = await ask('application/x-ndjson', { ...whole, limit: 1, cursor: next })
    expect(second.text).toBe(`${JSON.stringify(rows[countRows(first.text)])}\n`)
  }
  return rows.length
}

const countRows = (csv: string): number => parse(csv).length - 1

function expectCsv(text: string, header: readonly string[], rows: readonly object[]): void {
  expect(text.endsWith('\r\n')).toBe(true)
  const [names, ...lines] = parse(text, { record_delimiter: '\r\n' })
  expect(names).toEqual(header)
  const cells = rows.map((row) => toCells(row))
  expect(lines).toEqual(cells.map((row) => row.map(([, cell]) => cell)))
  expect(cells.every((row) => row.every(([name], index) => name === header[index]))).toBe(true)
}

describe.each([
  ['answers', OF_ANSWERS, async () => serveWorld(world), world.site.id],
  ['logs', OF_LOGS, async () => serveLogs(logs), 'logs'],
] as const)('reports on %s', (_name, reports, serve, siteId) => {
  let served: { readonly service: TestService; close(): Promise<void> }
  let key: string
  beforeAll(async () => {
    served = await serve()
    key = served.service.app.catalog.keys.create({ name: 'formats', expiresInDays: 30, creator: 'tests' }).value
  })
  afterAll(() => served.close())

  it.each(reports.map((report) => [report.path, report] as const))(
    '%s has the same rows in three formats',
    async (path, report) => {
      const ask: Ask = (accept, body) =>
        served.service.send({ method: 'POST', path, key, headers: { accept }, body: { site_id: siteId, ...body } })
      let rows = 0
      for (const body of report.bodies) rows += await compare(report, body, ask)
      expect(rows).toBeGreaterThan(report.bodies.length)
    },
    60_000 + REQUESTS * 5_000,
  )
})
