import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../support/http.ts'
import { createWorld, type World } from '../support/world.ts'

let service: TestService
let world: World
beforeAll(async () => {
  service = await openTestService()
  world = createWorld(service)
})
afterAll(() => service.close())

/** What is sent, by report or endpoint; the paths of the faults that must be told, all of them and no other. */
type Case = readonly [what: string, change: Record<string, unknown>, paths: readonly string[]]

const RANGE = { start_date: '2026-11-01', end_date: '2026-11-20' }
const REPORTS = ['visibility', 'citations', 'sentiment', 'changes', 'bots', 'referrals', 'answers'] as const
type Report = (typeof REPORTS)[number]
const pathOf = (report: Report) => (report === 'answers' ? '/v1/answers' : `/v1/reports/${report}`)

const condition = (field: string, op: string, value: unknown) => ({ field, op, value })
const many = (count: number, item: unknown = condition('platform', 'is', 'chatgpt')) => Array(count).fill(item)
const nested = (depth: number): unknown =>
  depth === 1 ? condition('platform', 'is', 'claude') : { not: nested(depth - 1) }

/** Faults that every report refuses alike. */
const COMMON: readonly Case[] = [
  ['a missing site', { site_id: undefined }, ['site_id']],
  ['a site that is a number', { site_id: 5 }, ['site_id']],
  ['a site that is null', { site_id: null }, ['site_id']],
  ['a missing start', { start_date: undefined }, ['start_date']],
  ['a missing end', { end_date: undefined }, ['end_date']],
  [
    'nothing at all',
    { site_id: undefined, start_date: undefined, end_date: undefined },
    ['site_id', 'start_date', 'end_date'],
  ],
  ['a day that does not exist', { end_date: '2026-02-31' }, ['end_date']],
  ['the 29th of February in a common year', { start_date: '2027-02-29' }, ['start_date']],
  ['a month 13', { start_date: '2026-13-01' }, ['start_date']],
  ['a day with a time', { start_date: '2026-11-01T00:00:00Z' }, ['start_date']],
  ['a day without zeros', { start_date: '2026-11-1' }, ['start_date']],
  ['a day that is a number', { start_date: 20261101 }, ['start_date']],
  ['an empty day', { end_date: '' }, ['end_date']],
  ['an end before the start', { end_date: '2026-10-31' }, ['end_date']],
  ['a limit of 0', { limit: 0 }, ['limit']],
  ['a negative limit', { limit: -1 }, ['limit']],
  ['a limit with a fraction', { limit: 1.5 }, ['limit']],
  ['a limit in quotes', { limit: '10' }, ['limit']],
  ['a limit of null', { limit: null }, ['limit']],
  ['a limit beyond all numbers', { limit: 1e308 * 10 }, ['limit']],
  ['a cursor that is a number', { cursor: 1 }, ['cursor']],
  ['a cursor of null', { cursor: null }, ['cursor']],
  ['unknown fields', { surprise: 1, Limit: 2 }, ['surprise', 'Limit']],
  ['faults all over', { start_date: 'x', limit: 'y', surprise: 1 }, ['start_date', 'limit', 'surprise']],
  ['half a surrogate pair', { site_id: 'a\ud800' }, ['site_id']],
]

const GROUPED: readonly Case[] = [
  ['group_by that is a text', { group_by: 'date' }, ['group_by']],
  ['group_by of null', { group_by: null }, ['group_by']],
  ['group_by with an unknown field', { group_by: ['date', 'brand'] }, ['group_by.1']],
  ['group_by with a field twice', { group_by: ['date', 'date'] }, ['group_by.1']],
  ['group_by with a number', { group_by: [1] }, ['group_by.0']],
  ['group_by with other letters', { group_by: ['Date'] }, ['group_by.0']],
]

const MEASURED: readonly Case[] = [
  ['no metrics', { metrics: [] }, ['metrics']],
  ['an unknown metric', { metrics: ['clicks'] }, ['metrics.0']],
  ['metrics that are a text', { metrics: 'answers' }, ['metrics']],
]

const FILTERED: readonly Case[] = [
  ['a filter of null', { filter: null }, ['filter']],
  ['a filter that is a list', { filter: [] }, ['filter']],
  ['a filter that is a text', { filter: 'x' }, ['filter']],
  ['an empty filter', { filter: {} }, ['filter.field', 'filter.op', 'filter.value']],
  ['a filter on an unknown field', { filter: condition('brand', 'is', 'x') }, ['filter.field']],
  ['an empty and', { filter: { and: [] } }, ['filter.and']],
  ['an and that is an object', { filter: { and: {} } }, ['filter.and']],
  ['an or of null', { filter: { or: null } }, ['filter.or']],
  ['a not of a list', { filter: { not: [] } }, ['filter.not']],
  ['a not of null', { filter: { not: null } }, ['filter.not']],
]

const PLATFORM_FILTERED: readonly Case[] = [
  ['an unknown operator', { filter: condition('prompt', 'like', 'x') }, ['filter.op']],
  ['and beside or', { filter: { and: many(1), or: many(1) } }, ['filter.or']],
  ['an unknown platform', { filter: condition('platform', 'is', 'bard') }, ['filter.value']],
  ['a platform compared as a text', { filter: condition('platform', 'contains', 'chat') }, ['filter.op']],
  ['a platform matched', { filter: condition('platform', 'matches', 'chat.*') }, ['filter.op']],
  ['a list where one platform is meant', { filter: condition('platform', 'is', ['chatgpt']) }, ['filter.value']],
  ['one platform where a list is meant', { filter: condition('platform', 'in', 'chatgpt') }, ['filter.value']],
  ['an empty list', { filter: condition('platform', 'in', []) }, ['filter.value']],
  [
    'a list with an unknown platform',
    { filter: condition('platform', 'not_in', ['chatgpt', 'bard']) },
    ['filter.value.1'],
  ],
  ['an empty prompt', { filter: condition('prompt', 'is', '') }, ['filter.value']],
  ['a list with an empty prompt', { filter: condition('prompt', 'in', ['a', '']) }, ['filter.value.1']],
  ['a prompt that is a number', { filter: condition('prompt', 'contains', 5) }, ['filter.value']],
  ['a prompt of 1,001 characters', { filter: condition('prompt', 'contains', 'x'.repeat(1_001)) }, ['filter.value']],
  ['501 values', { filter: condition('prompt', 'in', many(501, 'x')) }, ['filter.value']],
  [
    'a condition with more than it needs',
    { filter: { ...condition('prompt', 'is', 'x'), case: true } },
    ['filter.case'],
  ],
  ['a condition without a value', { filter: { field: 'prompt', op: 'is' } }, ['filter.value']],
  ['51 members', { filter: { or: many(51) } }, ['filter.or']],
  ['a filter 6 deep', { filter: nested(6) }, ['filter']],
  ['101 conditions', { filter: { and: [{ or: many(50) }, { or: many(50) }, ...many(1)] } }, ['filter']],
  [
    'faults in several members',
    { filter: { and: [condition('platform', 'is', 'x'), { or: [{}] }] } },
    ['filter.and.0.value', 'filter.and.1.or.0.field', 'filter.and.1.or.0.op', 'filter.and.1.or.0.value'],
  ],
  [
    'a pattern of 201 characters',
    {
      filter: {
        and: [condition('prompt', 'matches', 'x'.repeat(200)), condition('prompt', 'matches', 'é'.repeat(201))],
      },
    },
    ['filter.and.1.value'],
  ],
  ['a pattern repeated 101 times', { filter: condition('prompt', 'matches', '[^\\pL]{101}') }, ['filter.value']],
  [
    'a pattern repeated in repetitions',
    { filter: condition('prompt', 'matches', '(.{0,60}){0,60}') },
    ['filter.value'],
  ],
  [
    '21 patterns',
    { filter: { and: Array.from({ length: 21 }, (_, i) => condition('prompt', 'matches', `x${i}`)) } },
    ['filter'],
  ],
  ['a pattern that is none', { filter: condition('prompt', 'matches', '(') }, ['filter.value']],
  [
    'a pattern that reads like a fault of a file',
    { filter: condition('prompt', 'matches', 'parquet(') },
    ['filter.value'],
  ],
  [
    'a pattern with a reference back',
    { filter: { not: condition('prompt', 'matches', '(a)\\1') } },
    ['filter.not.value'],
  ],
  [
    'a bad pattern among other faults',
    { limit: 0, filter: { or: [condition('platform', 'is', 'x'), condition('prompt', 'matches', '[')] } },
    ['limit', 'filter.or.0.value', 'filter.or.1.value'],
  ],
]

const ZONED: readonly Case[] = [
  ['an unknown operator', { filter: condition('path', 'like', 'x') }, ['filter.op']],
  [
    'a bad pattern and a bad zone',
    { timezone: 'x', filter: condition('path', 'matches', '+') },
    ['filter.value', 'timezone'],
  ],
  ['an unknown zone', { timezone: 'Mars/Base' }, ['timezone']],
  ['an offset', { timezone: '+02:00' }, ['timezone']],
  ['a zone in other letters', { timezone: 'europe/berlin' }, ['timezone']],
  ['a three-letter name that is no zone', { timezone: 'ACT' }, ['timezone']],
  ['an empty zone', { timezone: '' }, ['timezone']],
  ['a zone of null', { timezone: null }, ['timezone']],
  ['a month beside an hour', { group_by: ['path', 'hour', 'month'] }, ['group_by.2']],
  ['4 group fields', { group_by: ['date', 'hour', 'path', 'page_type'] }, ['group_by']],
  ['a range of 401 days', { start_date: '2025-01-01', end_date: '2026-02-06' }, ['end_date']],
  ['a limit of 501', { limit: 501 }, ['limit']],
  ['sorting by what is not asked for', { metrics: ['last_visit'], sort: { field: 'path' } }, ['sort.field']],
  ['a filter on the platform', { filter: condition('platform', 'is', 'chatgpt') }, ['filter.field']],
]

const COMPARED = { compare_start_date: '2026-07-01', compare_end_date: '2026-07-31', metric: 'mention_rate' }
const NO_COMPARED = { compare_start_date: undefined, compare_end_date: undefined }

const OF_REPORT: Readonly<Record<Report, readonly Case[]>> = {
  visibility: [
    ...GROUPED,
    ...MEASURED,
    ...FILTERED,
    ...PLATFORM_FILTERED,
    ['a metric twice', { metrics: ['answers', 'mention_rate', 'answers'] }, ['metrics.2']],
    ['brands of another word', { brands: 'competitors' }, ['brands']],
    ['no brands', { brands: [] }, ['brands']],
    ['a brand without a name', { brands: ['Acme', ''] }, ['brands.1']],
    ['a brand that is a number', { brands: [1] }, ['brands.0']],
    ['101 brands', { brands: many(101, 'Acme') }, ['brands']],
    ['brands of null', { brands: null }, ['brands']],
    ['sort without a field', { sort: {} }, ['sort.field']],
    ['a week beside a date', { group_by: ['week', 'platform', 'date'] }, ['group_by.2']],
    ['a week twice', { group_by: ['week', 'week'] }, ['group_by.1']],
    ['sort by a group field', { group_by: ['date'], sort: { field: 'date' } }, ['sort.field']],
    ['sort by a metric not asked for', { metrics: ['answers'], sort: { field: 'mention_rate' } }, ['sort.field']],
    ['sort in an unknown direction', { sort: { field: 'answers', dir: 'DESC' } }, ['sort.dir']],
    ['sort with more than it needs', { sort: { field: 'answers', nulls: 'first' } }, ['sort.nulls']],
    ['sort that is a text', { sort: 'answers' }, ['sort']],
    ['a limit of 101', { limit: 101 }, ['limit']],
    ['a range of 93 days', { start_date: '2026-08-01', end_date: '2026-11-02' }, ['end_date']],
    ['a filter on the owner', { filter: condition('owner', 'is', 'own') }, ['filter.field']],
    ['grouping by hour', { group_by: ['hour'] }, ['group_by.0']],
    ['a time zone', { timezone: 'UTC' }, ['timezone']],
  ],
  citations: [
    ...GROUPED,
    ...MEASURED,
    ...FILTERED,
    ...PLATFORM_FILTERED,
    ['an unknown entity', { entity: 'host' }, ['entity']],
    ['an entity of null', { entity: null }, ['entity']],
    ['grouping by category', { group_by: ['category'] }, ['group_by.0']],
    ['a sort', { sort: { field: 'answers' } }, ['sort']],
    ['an unknown owner', { filter: condition('owner', 'is', 'us') }, ['filter.value']],
    ['an owner compared as a text', { filter: condition('owner', 'starts_with', 'o') }, ['filter.op']],
    ['an unknown source kind', { filter: condition('source_kind', 'in', ['forum', 'blog']) }, ['filter.value.1']],
    ['a limit of 101', { limit: 101 }, ['limit']],
    ['a range of 93 days', { start_date: '2026-08-01', end_date: '2026-11-02' }, ['end_date']],
  ],
  sentiment: [
    ...GROUPED,
    ...FILTERED,
    ...PLATFORM_FILTERED,
    ['a metric that it always has', { metrics: ['answers'] }, ['metrics.0']],
    ['no metrics', { metrics: [] }, ['metrics']],
    ['a metric twice', { metrics: ['judged_answers', 'judged_answers'] }, ['metrics.1']],
    ['a sort', { sort: { field: 'answers' } }, ['sort']],
    ['a limit of 101', { limit: 101 }, ['limit']],
    ['a range of 93 days', { start_date: '2026-08-01', end_date: '2026-11-02' }, ['end_date']],
  ],
  changes: [
    ...GROUPED.filter(([, { group_by }]) => !Array.isArray(group_by) || group_by[0] !== 'date'),
    ...FILTERED,
    ...PLATFORM_FILTERED,
    ['no metric', { metric: undefined }, ['metric']],
    ['an unknown metric', { metric: 'answers' }, ['metric']],
    ['metrics', { metrics: ['mention_rate'] }, ['metrics']],
    ['a metric of null', { metric: null }, ['metric']],
    ['a metric that one prompt has no spread of', { metric: 'visibility_score', group_by: ['prompt'] }, ['metric']],
    ['coverage of one prompt', { metric: 'prompt_coverage', group_by: ['platform', 'prompt'] }, ['metric']],
    ['a field twice', { group_by: ['prompt', 'prompt'] }, ['group_by.1']],
    ['grouping by date', { group_by: ['platform', 'date'] }, ['group_by.1']],
    ['brands of another word', { brands: 'competitors' }, ['brands']],
    ['no brands', { brands: [] }, ['brands']],
    ['a sort', { sort: { field: 'change' } }, ['sort']],
    ['a limit of 101', { limit: 101 }, ['limit']],
    ['a range of 93 days', { start_date: '2026-08-18', end_date: '2026-11-19' }, ['end_date']],
    ['no range to compare with', NO_COMPARED, ['compare_start_date', 'compare_end_date']],
    ['a compared day that does not exist', { compare_end_date: '2026-02-31' }, ['compare_end_date']],
    ['a compared day with a time', { compare_start_date: '2026-10-01T00:00:00Z' }, ['compare_start_date']],
    ['a compared end before its start', { compare_end_date: '2026-06-30' }, ['compare_end_date']],
    ['a compared range of 93 days', { compare_start_date: '2026-04-11' }, ['compare_end_date']],
    [
      'a day that ends one range and begins the other',
      { compare_start_date: '2026-10-20', compare_end_date: '2026-11-01' },
      ['compare_end_date'],
    ],
    [
      'a compared range inside',
      { compare_start_date: '2026-11-05', compare_end_date: '2026-11-05' },
      ['compare_start_date'],
    ],
    [
      'the same range twice',
      { compare_start_date: '2026-11-01', compare_end_date: '2026-11-20' },
      ['compare_start_date'],
    ],
    [
      'faults of both ranges and the metric',
      { end_date: '2026-10-31', compare_end_date: 'x', metric: 'x', surprise: 1 },
      ['end_date', 'compare_end_date', 'metric', 'surprise'],
    ],
  ],
  bots: [
    ...GROUPED,
    ...MEASURED,
    ...FILTERED,
    ...ZONED,
    ['verified that is a text', { filter: condition('verified', 'is', 'true') }, ['filter.value']],
    ['verified that is a number', { filter: condition('verified', 'is', 1) }, ['filter.value']],
    ['verified in a list', { filter: condition('verified', 'in', [true]) }, ['filter.op']],
    ['an unknown type of bot', { filter: condition('bot_type', 'is', 'crawler') }, ['filter.value']],
    ['a type of bot compared as a text', { filter: condition('bot_type', 'ends_with', 'x') }, ['filter.op']],
    ['true as a path', { filter: condition('path', 'is', true) }, ['filter.value']],
    ['a metric of another report', { metrics: ['visits'] }, ['metrics.0']],
  ],
  referrals: [
    ...GROUPED,
    ...MEASURED,
    ...FILTERED,
    ...ZONED,
    ['an unknown type of page', { filter: condition('page_type', 'is', 'blog') }, ['filter.value']],
    ['a filter on verified', { filter: condition('verified', 'is', true) }, ['filter.field']],
    ['grouping by bot', { group_by: ['bot_name'] }, ['group_by.0']],
  ],
  answers: [
    ['no platforms', { platforms: [] }, ['platforms']],
    ['an unknown platform', { platforms: ['chatgpt', 'bard'] }, ['platforms.1']],
    ['a platform twice', { platforms: ['claude', 'claude'] }, ['platforms.1']],
    ['no prompts', { prompt_ids: [] }, ['prompt_ids']],
    ['101 prompts', { prompt_ids: many(101, 'prm_x') }, ['prompt_ids']],
    ['a prompt that is a number', { prompt_ids: [1] }, ['prompt_ids.0']],
    ['an unknown field to include', { include: ['id'] }, ['include.0']],
    ['a field to include twice', { include: ['text', 'date', 'text'] }, ['include.2']],
    ['include of null', { include: null }, ['include']],
    ['a filter', { filter: condition('platform', 'is', 'chatgpt') }, ['filter']],
    ['a limit of 51', { limit: 51 }, ['limit']],
    ['a range of 93 days', { start_date: '2026-08-01', end_date: '2026-11-02' }, ['end_date']],
  ],
}

const REPORT_CASES = REPORTS.flatMap((report) =>
  [...COMMON, ...OF_REPORT[report]].map(([what, change, paths]) => ({ report, what, change, paths })),
)

it.each(REPORT_CASES)('$report refuses $what', async ({ report, change, paths }) => {
  const body = JSON.stringify({
    site_id: world.site.id,
    ...RANGE,
    ...(report === 'changes' && COMPARED),
    ...change,
  }).replace('"limit":null,', '"limit":1e999,')
  const answer = await service.send({ method: 'POST', path: pathOf(report), key: world.readKey, body })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  expect(answer.body.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths.toSorted())
})

const PATCH_CASES: readonly (readonly [what: string, path: string, body: unknown, paths: readonly string[]])[] = [
  ['no prompts', 'prompts', {}, ['prompts']],
  ['an empty list of prompts', 'prompts', { prompts: [] }, ['prompts']],
  ['prompts that are an object', 'prompts', { prompts: { id: 'a' } }, ['prompts']],
  ['a change that is a text', 'prompts', { prompts: ['prm_a'] }, ['prompts.0']],
  ['a change that is a list', 'prompts', { prompts: [[]] }, ['prompts.0']],
  ['a change without an id', 'prompts', { prompts: [{ category: 'Brand' }] }, ['prompts.0.id']],
  ['a change of nothing', 'prompts', { prompts: [{ id: 'a' }] }, ['prompts.0']],
  ['an unknown category', 'prompts', { prompts: [{ id: 'a', category: 'brand' }] }, ['prompts.0.category']],
  ['a category of null', 'prompts', { prompts: [{ id: 'a', category: null }] }, ['prompts.0.category']],
  ['a blank market', 'prompts', { prompts: [{ id: 'a', market: '  ' }] }, ['prompts.0.market']],
  ['a market that is a number', 'prompts', { prompts: [{ id: 'a', market: 5 }] }, ['prompts.0.market']],
  ['a market of 201 characters', 'prompts', { prompts: [{ id: 'a', market: 'x'.repeat(201) }] }, ['prompts.0.market']],
  ['a new text', 'prompts', { prompts: [{ id: 'a', market: 'x', text: 'New?' }] }, ['prompts.0.text']],
  ['a new status', 'prompts', { prompts: [{ id: 'a', market: 'x', status: 'active' }] }, ['prompts.0.status']],
  [
    'an id twice',
    'prompts',
    {
      prompts: [
        { id: 'a', market: 'x' },
        { id: 'b', market: 'x' },
        { id: 'a', category: 'Brand' },
      ],
    },
    ['prompts.2.id'],
  ],
  [
    'an id twice among other faults',
    'prompts',
    { prompts: [{ id: 'a', market: 5 }, { id: 'a' }] },
    ['prompts.0.market', 'prompts.1', 'prompts.1.id'],
  ],
  ['a dry run that is a text', 'prompts', { prompts: [{ id: 'a', market: 'x' }], dry_run: 'true' }, ['dry_run']],
  ['no ids', 'prompts/status', { status: 'active' }, ['prompt_ids']],
  ['an empty list of ids', 'prompts/status', { prompt_ids: [], status: 'active' }, ['prompt_ids']],
  ['an id that is null', 'prompts/status', { prompt_ids: ['a', null], status: 'active' }, ['prompt_ids.1']],
  ['no status', 'prompts/status', { prompt_ids: ['a'] }, ['status']],
  ['an unknown status', 'prompts/status', { prompt_ids: ['a'], status: 'deleted' }, ['status']],
  ['a dry run of 1', 'prompts/status', { prompt_ids: ['a'], status: 'active', dry_run: 1 }, ['dry_run']],
  ['a list for a body', 'prompts/status', [], ['body']],
  ['a text for a body', 'prompts/status', '"x"', ['body']],
  ['null for a body', 'prompts/status', 'null', ['body']],
  ['a number for a body', 'prompts', '5', ['body']],
  ['65 levels', 'prompts', '{"prompts":' + '['.repeat(65) + ']'.repeat(65) + '}', ['body']],
]

it.each(PATCH_CASES)('PATCH refuses %s', async (_what, path, body, paths) => {
  const target = `/v1/sites/${world.site.id}/${path}`
  const answer = await service.send({ method: 'PATCH', path: target, key: world.writeKey, body })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  expect(answer.body.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths.toSorted())
})

const QUERY_CASES: readonly (readonly [target: string, paths: readonly string[]])[] = [
  ['prompts?limit=0', ['limit']],
  ['prompts?limit=501', ['limit']],
  ['prompts?limit=-1', ['limit']],
  ['prompts?limit=', ['limit']],
  ['prompts?limit=abc', ['limit']],
  ['prompts?limit=05', ['limit']],
  ['prompts?limit=1.0', ['limit']],
  ['prompts?limit=1&limit=1', ['limit']],
  ['prompts?status=all', ['status']],
  ['prompts?status=', ['status']],
  ['prompts?status=active&status=disabled', ['status']],
  ['prompts?category=how-to', ['category']],
  ['prompts?category', ['category']],
  ['prompts?offset=1', ['offset']],
  ['prompts?limit=0&status=x&offset=1', ['limit', 'offset', 'status']],
  ['prompts?__proto__=1', ['__proto__']],
  ['prompts?constructor=1', ['constructor']],
  ['actions?status=dismissed', ['status']],
  ['actions?status=Open', ['status']],
  ['actions?limit=1', ['limit']],
  ['competitors?confirmed=true', ['confirmed']],
  ['quality', ['start_date', 'end_date']],
  ['quality?start_date=2026-11-01', ['end_date']],
  ['quality?start_date=2026-11-01&end_date=2026-10-31', ['end_date']],
  ['quality?start_date=2026-08-18&end_date=2026-11-19', ['end_date']],
  ['quality?start_date=2026-02-29&end_date=2026-03-01', ['start_date']],
  ['quality?start_date=2026-11-01T00:00:00Z&end_date=20261120', ['start_date', 'end_date']],
  ['quality?start_date=2026-11-01&end_date=2026-11-20&end_date=2026-11-20', ['end_date']],
  ['quality?start_date=2026-11-01&end_date=2026-11-20&platform=chatgpt', ['platform']],
]

it.each(QUERY_CASES)('GET …/%s is refused', async (target, paths) => {
  const answer = await service.send({ path: `/v1/sites/${world.site.id}/${target}`, key: world.readKey })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  expect(answer.body.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths.toSorted())
})

const BODIES: readonly (readonly [
  what: string,
  body: string | Uint8Array | undefined,
  headers: Record<string, string>,
  status: number,
  code: string,
])[] = [
  ['no body and no type', undefined, {}, 415, 'unsupported_media_type'],
  ['an empty body', '', {}, 400, 'invalid_json'],
  ['white space', ' \n', {}, 400, 'invalid_json'],
  ['half an object', '{"site_id":', {}, 400, 'invalid_json'],
  ['single quotes', "{'a':1}", {}, 400, 'invalid_json'],
  ['a comma too many', '{"a":1,}', {}, 400, 'invalid_json'],
  ['NaN', '{"limit":NaN}', {}, 400, 'invalid_json'],
  ['a comment', '{}//', {}, 400, 'invalid_json'],
  ['two values', '{}{}', {}, 400, 'invalid_json'],
  ['a form', 'site_id=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
  ['JSON called text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['JSON called a patch', '{}', { 'content-type': 'application/merge-patch+json' }, 415, 'unsupported_media_type'],
  ['an empty type', '{}', { 'content-type': '' }, 415, 'unsupported_media_type'],
  ['Latin 1', '{}', { 'content-type': 'application/json; charset=iso-8859-1' }, 415, 'unsupported_media_type'],
  ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
  ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), {}, 400, 'invalid_json'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), {}, 400, 'invalid_json'],
  ['a byte over a megabyte', ' '.repeat(1_048_577), {}, 413, 'payload_too_large'],
  [
    'a wrong type over a megabyte',
    ' '.repeat(1_048_577),
    { 'content-type': 'text/plain' },
    415,
    'unsupported_media_type',
  ],
  ['a megabyte that is no JSON', ' '.repeat(1_048_576), {}, 400, 'invalid_json'],
  ['a megabyte of brackets', '['.repeat(524_288) + ']'.repeat(524_288), {}, 400, 'invalid_request'],
  ['a megabyte of empty filters', `{"filter":{"and":[${'{},'.repeat(300_000)}{}]}}`, {}, 400, 'invalid_request'],
  ['a tree of filters of a megabyte', toTree(), {}, 400, 'invalid_request'],
  ['a megabyte of group fields', `{"group_by":[${'"date",'.repeat(140_000)}"date"]}`, {}, 400, 'invalid_request'],
  [
    'a megabyte of unknown fields',
    `{${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`).join(',')}}`,
    {},
    400,
    'invalid_request',
  ],
]

/** A filter of 50 by 50 by 50 members, none of which is one. */
function toTree(): string {
  let tree = '{}'
  for (let level = 0; level < 3; level++) tree = `{"and":[${Array(50).fill(tree).join(',')}]}`
  return `{"filter":${tree}}`
}

it.each(BODIES)('a body that is %s is refused', async (_what, body, headers, status, code) => {
  const answer = await service.send({
    method: 'POST',
    path: '/v1/reports/visibility',
    key: world.readKey,
    headers,
    body,
  })
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(answer.body.error.details?.length ?? 0).toBeLessThanOrEqual(100)
})

it.each([
  ['application/json'],
  ['APPLICATION/JSON'],
  ['application/json; charset=utf-8'],
  ['application/json;charset="UTF-8"'],
  ['application/json; profile=x'],
])('a body called %s is read', async (type) => {
  const answer = await service.send({
    method: 'PATCH',
    path: `/v1/sites/${world.site.id}/prompts/status`,
    key: world.writeKey,
    headers: { 'content-type': type, 'content-encoding': 'identity' },
    body: '\uFEFF{"prompt_ids":["a"],"status":"active"}',
  })
  expect(answer.status).toBe(200)
})

it('covers more than 150 requests', () => {
  expect(REPORT_CASES.length + PATCH_CASES.length + QUERY_CASES.length + BODIES.length).toBeGreaterThanOrEqual(150)
})
