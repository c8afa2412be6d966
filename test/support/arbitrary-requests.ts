import * as fc from 'fast-check'
import { CATEGORIES, ENGINE_IDS, PAGE_TYPES } from '../../src/domain/enums.ts'
import type { AnyEndpoint } from '../../src/http/endpoint.ts'
import { LIST_OPERATORS, TEXT_OPERATORS } from '../../src/reports/request.ts'
import type { TestRequest } from './http.ts'
import type { World } from './world.ts'

/** Texts that break parsers, SQL, patterns and encodings. */
const HOSTILE = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '%',
  '_',
  '$1',
  '?',
  ';--',
  "' OR 1=1 --",
  '\0',
  '\n',
  '\ud800',
  '🚀',
  'ß',
  '(',
  '[',
  '(a)\\1',
  '.*',
  '(?i)x',
  '\\p{L}',
  '{{',
  '__proto__',
  'constructor',
  'null',
  '../../etc/passwd',
  'x'.repeat(1_001),
]

export const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string(), fc.string({ unit: 'binary' }))
export const json = fc.oneof({ weight: 3, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: text })

const FIELDS = [
  'platform',
  'prompt',
  'category',
  'domain',
  'owner',
  'source_kind',
  'bot_name',
  'bot_provider',
  'bot_type',
  'verified',
  'path',
  'page_type',
  'referral_source',
]
const value = fc.oneof(
  text,
  fc.constantFrom(...ENGINE_IDS, ...CATEGORIES, ...PAGE_TYPES, 'own', 'forum', 'index'),
  fc.boolean(),
  fc.array(fc.oneof(text, fc.constantFrom(...ENGINE_IDS)), { maxLength: 4 }),
  json,
)
const condition = fc.record(
  {
    field: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, { weight: 1, arbitrary: json }),
    op: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...TEXT_OPERATORS, ...LIST_OPERATORS) },
      { weight: 1, arbitrary: json },
    ),
    value,
  },
  { requiredKeys: [] },
)
const { filter } = fc.letrec((tie) => ({
  filter: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    condition,
    fc.record({ and: fc.array(tie('filter'), { maxLength: 4 }) }),
    fc.record({ or: fc.array(tie('filter'), { maxLength: 4 }) }),
    fc.record({ not: tie('filter') }),
    json,
  ),
}))

const GROUPS = [
  'date',
  'hour',
  'platform',
  'prompt',
  'category',
  'bot_name',
  'bot_type',
  'path',
  'page_type',
  'referral_source',
]
const METRICS = [
  'answers',
  'mention_rate',
  'visibility_score',
  'average_position',
  'citations',
  'citation_share',
  'hits',
  'pages',
  'last_visit',
  'visits',
]
const some = (names: readonly string[]) => fc.oneof(fc.subarray([...names], { maxLength: 3 }), json)

/** Values that are near to what the field of that name takes. */
export function fieldValues(
  world: Pick<World, 'site' | 'otherSite' | 'promptIds'>,
): Record<string, fc.Arbitrary<unknown>> {
  const day = fc.oneof(
    fc.constantFrom('2026-11-01', '2026-11-20', '2026-02-31', '0000-01-01', '9999-12-31', '2026-11-1'),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    json,
  )
  return {
    site_id: fc.oneof(fc.constantFrom(world.site.id, world.otherSite.id, 'x'), json),
    start_date: day,
    end_date: day,
    compare_start_date: day,
    compare_end_date: day,
    metric: fc.oneof(fc.constantFrom('mention_rate', 'prompt_coverage', 'visibility_score', 'answers'), json),
    timezone: fc.oneof(fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Mars/Base', '+02:00'), json),
    group_by: some(GROUPS),
    metrics: some(METRICS),
    brands: fc.oneof(fc.constantFrom('owned', 'all', ['Acme'], ['Globex', 'acme'], ['Nobody']), json),
    filter,
    sort: fc.oneof(
      fc.record(
        { field: fc.constantFrom(...METRICS, ...GROUPS), dir: fc.constantFrom('asc', 'desc', 'up') },
        { requiredKeys: [] },
      ),
      json,
    ),
    limit: fc.oneof(fc.integer({ min: -1, max: 600 }), json),
    cursor: fc.oneof(text, json),
    entity: fc.oneof(fc.constantFrom('domain', 'page'), json),
    platforms: some(ENGINE_IDS),
    prompt_ids: some(world.promptIds),
    include: some(['text', 'date', 'mentions', 'citations', 'sentiment', 'prompt']),
    prompts: fc.oneof(
      fc.array(
        fc.record(
          {
            id: fc.oneof(fc.constantFrom(...world.promptIds), text),
            category: fc.oneof(fc.constantFrom(...CATEGORIES), json),
            market: json,
          },
          { requiredKeys: ['id'] },
        ),
        { maxLength: 4 },
      ),
      json,
    ),
    status: fc.oneof(fc.constantFrom('active', 'disabled', 'all', 'open'), json),
    dry_run: fc.oneof(fc.boolean(), json),
  }
}

/** A body: anything at all, or changes of an example, with fields that are left out of it. */
export interface BodyPlan {
  readonly body: { readonly content: unknown } | { readonly change: Readonly<Record<string, unknown>> }
  readonly removed: readonly string[]
}

/** What makes a body, more often of an example with a few fields changed, added or left out. */
export function arbitraryBody(values: Readonly<Record<string, fc.Arbitrary<unknown>>>): {
  readonly body: fc.Arbitrary<BodyPlan['body']>
  readonly removed: fc.Arbitrary<BodyPlan['removed']>
} {
  const known = Object.keys(values)
  const changes = fc
    .dictionary(
      fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: text }),
      fc.constant(undefined),
      { maxKeys: 3 },
    )
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          Object.keys(names).map((name) => [name, (Object.hasOwn(values, name) && values[name]) || json]),
        ),
      ),
    )
  return {
    body: fc.oneof(
      { weight: 1, arbitrary: json.map((content) => ({ content })) },
      { weight: 6, arbitrary: changes.map((change) => ({ change })) },
    ),
    removed: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray(known, { maxLength: 3 }) },
    ),
  }
}

/** The body that is planned. */
export function toBody({ body, removed }: BodyPlan, example: object): unknown {
  if ('content' in body) return body.content
  return Object.fromEntries(Object.entries({ ...example, ...body.change }).filter(([name]) => !removed.includes(name)))
}

/** A query string, more often none; its parameters have these names. */
export function arbitraryQuery(names: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constant('?start_date=2026-11-01&end_date=2026-11-20') },
    { weight: 1, arbitrary: fc.webQueryParameters().map((parameters) => `?${parameters}`) },
    {
      weight: 1,
      arbitrary: fc
        .array(
          fc.tuple(
            fc.constantFrom(...names),
            fc.oneof(
              text,
              fc.nat({ max: 600 }).map(String),
              fc.constantFrom('active', 'open', 'Brand', '2026-11-01', '2026-11-20'),
            ),
          ),
          { maxLength: 3 },
        )
        .map(
          (pairs) =>
            `?${pairs.map(([name, given]) => `${name}=${encodeURIComponent(given.toWellFormed())}`).join('&')}`,
        ),
    },
  )
}

export const QUERY_PARAMETERS = ['limit', 'status', 'category', 'cursor', 'start_date', 'end_date'] as const

/** Any request to any of the endpoints: anything at all, and, more often, its example with a few fields changed, added or left out. */
export function arbitraryRequest(world: World, endpoints: readonly AnyEndpoint[]): fc.Arbitrary<TestRequest> {
  return fc
    .record({
      endpoint: fc.constantFrom(...endpoints),
      site: fc.oneof(
        { weight: 8, arbitrary: fc.constant(world.site.id) },
        { weight: 1, arbitrary: text.map((name) => encodeURIComponent(name.toWellFormed()) || 'x') },
      ),
      query: arbitraryQuery(QUERY_PARAMETERS),
      ...arbitraryBody(fieldValues(world)),
    })
    .map(({ endpoint, site, query, ...plan }) => {
      const example = {
        ...(endpoint.example.body as object | undefined),
        ...('site_id' in Object(endpoint.example.body) && { site_id: world.site.id }),
      }
      return {
        method: endpoint.method,
        path: endpoint.path.replace('{site_id}', site) + query,
        key: world.writeKey,
        ...(endpoint.body === undefined ? {} : { body: JSON.stringify(toBody(plan, example)) }),
      }
    })
}
