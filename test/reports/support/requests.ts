import { seededRandom, type SeededRandom } from '../../../data/demo/generator/random.ts'
import { CATEGORIES, ENGINE_IDS, OWNERS, SOURCE_KINDS } from '../../../src/domain/enums.ts'
import {
  ANSWER_FIELDS,
  type AnswerField,
  type AnswersRequest,
  USUAL_ANSWER_FIELDS,
} from '../../../src/reports/answers/contract.ts'
import { CITATION_METRICS, type CitationsRequest } from '../../../src/reports/citations/contract.ts'
import type { Condition, Filter } from '../../../src/reports/request.ts'
import { SEARCH_DIMENSIONS, SEARCH_METRICS, type SearchesRequest } from '../../../src/reports/searches/contract.ts'
import { SENTIMENT_METRICS, type SentimentRequest } from '../../../src/reports/sentiment/contract.ts'
import {
  USUAL_VISIBILITY_METRICS,
  VISIBILITY_METRICS,
  VISIBILITY_SORT_FIELDS,
  type VisibilityRequest,
} from '../../../src/reports/visibility/contract.ts'
import { MODELS, PROVIDERS, type World } from '../../support/oracle/world.ts'

/** A request as it is sent: what may be left out sometimes is. */
export interface Sent<R> {
  readonly asked: R
  readonly body: Partial<R>
  /** What `limit` may be at most. */
  readonly limitMax: number
}

const ANSWER_GROUPS = withBuckets(listOrders(['date', 'platform', 'prompt', 'category'] as const))
const CITATION_GROUPS = withBuckets(listOrders(['date', 'platform', 'prompt'] as const))
const SEARCH_GROUPS = listOrders(SEARCH_DIMENSIONS)
const SEARCH_SUBSETS = listSubsets(SEARCH_METRICS)
const VISIBILITY_SUBSETS = listSubsets(USUAL_VISIBILITY_METRICS)
const CITATION_SUBSETS = listSubsets(CITATION_METRICS)
const ANSWER_SUBSETS: readonly AnswerField[][] = [[], ...listSubsets(USUAL_ANSWER_FIELDS)]
const RECORDED_FIELDS = ANSWER_FIELDS.filter((field) => !USUAL_ANSWER_FIELDS.some((usual) => usual === field))

/**
 * Requests of each report; each order of groups comes at least once. The long form is
 * `REPORT_REQUESTS=310 npx vitest run test/reports`.
 */
export const REQUESTS = Number(process.env['REPORT_REQUESTS'] ?? 170)

/** Every list of names, by every spelling; `owned` and `all` come as often as all of them together. */
export const BRANDS: readonly VisibilityRequest['brands'][] = [
  'owned',
  'all',
  ['Acme'],
  ['acme cloud', 'ACME'],
  ['rvl', 'RIVAL INC.', 'Rival'],
  ['Rival Shop', 'ＲＩＶＡＬ'],
  ['STRASSE', 'Grosse strasse', 'blåbær'],
  ['Bla\u030Abær & co', 'Zeta 3', 'nobody'],
  ['Upstart'],
  ['UP-START', 'hidden gem', 'ACME®'],
  ['newcomer', 'acme', 'DATA DOLPHIN'],
  ['Never Named', 'Upstart', 'Rival', 'Rival Shop', 'große Straße', 'Acme Cloud', 'Zeta 3', 'hidden Gem'],
]

export function makeVisibilityRequests(world: World, count: number): Sent<VisibilityRequest>[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`visibility ${index}`)
    const metrics = random.shuffle(at(VISIBILITY_SUBSETS, index * 53 + 126))
    const isSorted = random.chance(0.5)
    const dir = random.pick(['asc', 'desc', 'desc'] as const)
    const group_by = withModels(random, at(ANSWER_GROUPS, index))
    const asked: VisibilityRequest = {
      ...makeRange(random, world, group_by),
      group_by,
      metrics: metrics.length === USUAL_VISIBILITY_METRICS.length ? USUAL_VISIBILITY_METRICS : metrics,
      brands: random.chance(0.5) ? at(['owned', 'all'] as const, index) : at(BRANDS, index),
      filter: makeFilter(random, world, ANSWER_FILTER),
      sort: isSorted ? { field: random.pick(metrics), dir } : undefined,
      limit: makeLimit(random, 50, 100),
    }
    return send(random, 100, asked, {
      ...asked,
      group_by: leaveOut(random, asked.group_by, []),
      metrics: leaveOut(random, asked.metrics, USUAL_VISIBILITY_METRICS),
      brands: leaveOut(random, asked.brands, 'owned'),
      sort:
        asked.sort?.dir === 'desc' && random.chance(0.5)
          ? ({ field: asked.sort.field } as VisibilityRequest['sort'])
          : asked.sort,
    })
  })
}

const CERTAINTY = VISIBILITY_METRICS.filter((name) => !USUAL_VISIBILITY_METRICS.some((usual) => usual === name))
const SORT_FIELDS: readonly string[] = VISIBILITY_SORT_FIELDS

/** Requests that ask how sure the numbers are, each sorted by one of those metrics as often as not. */
export function makeCertaintyRequests(world: World, count: number): Sent<VisibilityRequest>[] {
  return makeVisibilityRequests(world, count).map(({ asked, body, limitMax }, index) => {
    const random = seededRandom(`certainty ${index}`)
    const added = random.shuffle(CERTAINTY).slice(0, random.pick([1, 2, 5, CERTAINTY.length]))
    const field = added.find((name) => SORT_FIELDS.includes(name)) as NonNullable<VisibilityRequest['sort']>['field']
    const isSorted = field !== undefined && random.chance(0.5)
    const more = {
      metrics: random.shuffle([...asked.metrics, ...added]),
      ...(isSorted && { sort: { field, dir: random.pick(['asc', 'desc'] as const) } }),
    }
    return { asked: { ...asked, ...more }, body: { ...body, ...more }, limitMax }
  })
}

export function makeCitationsRequests(world: World, count: number): Sent<CitationsRequest>[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`citations ${index}`)
    const metrics = at(CITATION_SUBSETS, index)
    const group_by = withModels(random, at(CITATION_GROUPS, index >> 1))
    const asked: CitationsRequest = {
      ...makeRange(random, world, group_by),
      entity: at(['domain', 'page'] as const, index),
      group_by,
      metrics: metrics.length === CITATION_METRICS.length ? CITATION_METRICS : random.shuffle(metrics),
      filter: makeFilter(random, world, CITATION_FILTER),
      limit: makeLimit(random, 50, 100),
    }
    return send(random, 100, asked, {
      ...asked,
      entity: leaveOut(random, asked.entity, 'domain'),
      group_by: leaveOut(random, asked.group_by, []),
      metrics: leaveOut(random, asked.metrics, CITATION_METRICS),
    })
  })
}

export function makeSentimentRequests(world: World, count: number): Sent<SentimentRequest>[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`sentiment ${index}`)
    const asked: SentimentRequest = {
      ...makeRange(random, world),
      group_by: withModels(random, at(ANSWER_GROUPS, index)),
      metrics:
        index % 2 === 0
          ? undefined
          : random.shuffle(SENTIMENT_METRICS).slice(0, random.between(1, SENTIMENT_METRICS.length)),
      filter: makeFilter(random, world, ANSWER_FILTER),
      limit: makeLimit(random, 50, 100),
    }
    return send(random, 100, asked, { ...asked, group_by: leaveOut(random, asked.group_by, []) })
  })
}

export function makeSearchesRequests(world: World, count: number): Sent<SearchesRequest>[] {
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`searches ${index}`)
    const group_by = at(SEARCH_GROUPS, index)
    const metrics = random.shuffle(at(SEARCH_SUBSETS, index))
    const asked: SearchesRequest = {
      ...makeRange(random, world),
      group_by,
      metrics: metrics.length === SEARCH_METRICS.length ? SEARCH_METRICS : metrics,
      filter: makeFilter(random, world, { ...SLICE_FILTER, search: 'text' }),
      sort: random.chance(0.5)
        ? { field: random.pick(metrics), dir: random.pick(['asc', 'desc'] as const) }
        : undefined,
      limit: makeLimit(random, 50, 100),
    }
    return send(random, 100, asked, {
      ...asked,
      group_by: leaveOut(random, asked.group_by, []),
      metrics: leaveOut(random, asked.metrics, SEARCH_METRICS),
    })
  })
}

export function makeAnswersRequests(world: World, count: number): Sent<AnswersRequest>[] {
  const ids = [...world.prompts.map(({ id }) => id), 'unknown', "p.10'; --", 'P.10']
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`answers ${index}`)
    const usual = at(ANSWER_SUBSETS, index * 101 + 511)
    const include = random.chance(0.5)
      ? usual
      : [...usual, ...random.shuffle(RECORDED_FIELDS).slice(0, random.between(1, 6))]
    const some = <T>(items: readonly T[]): T[] => random.shuffle(items).slice(0, random.between(1, items.length))
    const asked: AnswersRequest = {
      ...makeRange(random, world, ['date', 'platform', 'prompt']),
      platforms: random.chance(0.4) ? some(ENGINE_IDS) : undefined,
      prompt_ids: random.chance(0.4) ? [...some(ids), ...(random.chance(0.2) ? ['p.2', 'p.2'] : [])] : undefined,
      include:
        include.length === USUAL_ANSWER_FIELDS.length && include === usual
          ? USUAL_ANSWER_FIELDS
          : random.shuffle(include),
      limit: makeLimit(random, 20, 50),
    }
    return send(random, 50, asked, { ...asked, include: leaveOut(random, asked.include, USUAL_ANSWER_FIELDS) })
  })
}

type FilterFields = Readonly<Record<string, readonly string[] | 'text'>>
const SLICE_FILTER: FilterFields = { platform: ENGINE_IDS, prompt: 'text', category: CATEGORIES }
export const ANSWER_FILTER: FilterFields = { ...SLICE_FILTER, model: 'text', provider: 'text' }
export const CITATION_FILTER: FilterFields = {
  ...ANSWER_FILTER,
  domain: 'text',
  owner: OWNERS,
  source_kind: SOURCE_KINDS,
}

/** Half of the requests have none. */
export function makeFilter(random: SeededRandom, world: World, fields: FilterFields): Filter | undefined {
  return random.chance(0.4) ? undefined : makeNested(random, world, fields, random.between(1, 4))
}

/** A filter over `fields`, at most `depth` deep, with every operator and with values that break what is pasted together. */
export function makeNested(random: SeededRandom, world: World, fields: FilterFields, depth: number): Filter {
  if (depth <= 1) return makeCondition(random, world, fields)
  const member = (): Filter => makeNested(random, world, fields, random.between(1, depth - 1))
  const members = (): Filter[] => Array.from({ length: random.pick([1, 2, 2, 2, 3, 4]) }, member)
  return random.pick([() => ({ and: members() }), () => ({ or: members() }), () => ({ not: member() })])()
}

const TEXT_OPS = [
  'is',
  'not_is',
  'contains',
  'not_contains',
  'contains_case_insensitive',
  'not_contains_case_insensitive',
  'starts_with',
  'ends_with',
] as const

function makeCondition(random: SeededRandom, world: World, fields: FilterFields): Condition {
  const field = random.pick(Object.keys(fields))
  const closed = fields[field]!
  if (closed !== 'text') {
    return random.chance(0.6)
      ? { field, op: random.pick(['is', 'not_is']), value: random.pick(closed) }
      : {
          field,
          op: random.pick(['in', 'not_in']),
          value: Array.from({ length: random.between(1, 4) }, () => random.pick(closed)),
        }
  }
  const values = listValues(world, field)
  const value = (): string => makeText(random, values)
  if (random.chance(0.25)) {
    const length = random.chance(0.05) ? 500 : random.between(1, 4)
    return { field, op: random.pick(['in', 'not_in']), value: Array.from({ length }, value) }
  }
  if (random.chance(0.2)) return { field, op: 'matches', value: makePattern(random, values) }
  return { field, op: random.pick(TEXT_OPS), value: value() }
}

function listValues(world: World, field: string): readonly string[] {
  if (field === 'prompt') return world.prompts.flatMap(({ id, text }) => [id, text, text])
  if (field === 'domain') return DOMAINS
  if (field === 'model') return MODELS
  if (field === 'provider') return PROVIDERS
  const given = world.imports.flat(2).flatMap((record) => record.search_queries ?? [])
  return [...new Set(given.map((search) => search.trim().toLowerCase()))].filter((search) => search !== '')
}

const DOMAINS = [
  'acme.co.uk',
  'rival.com',
  'rival.de',
  'evil.org',
  'blaabaer.no',
  'blaabaer.github.io',
  'someone.github.io',
  'github.io',
  'upstart.io',
  'wikipedia.org',
  'reddit.com',
  'youtube.com',
  'acme.blogspot.com',
  'example.gov.uk',
  'example.org',
  '203.0.113.7',
  'localhost',
  'intranet',
] as const

export const HOSTILE = [
  "'",
  '"',
  "' OR 1=1 --",
  "'); DROP TABLE answers; --",
  '%',
  '_',
  '100%',
  '\\',
  '\\\\',
  '$1',
  '?',
  ':name',
  '{}',
  '\u0000',
  'a\u0000b',
  '\n',
  '\t',
  ' ',
  '💶',
  '\u202e',
  '\u0301',
  'İ',
  'i\u0307',
  'ς',
  'Σ',
  'ß',
  'ẞ',
  'K',
  'null',
  'NaN',
  'x'.repeat(1_000),
  '💶'.repeat(500),
  'NULL',
  '[x]',
  '(a_b)',
] as const

/** A value as it is, a piece of one, one in another case, or something nasty. */
function makeText(random: SeededRandom, values: readonly string[]): string {
  const value = random.pick(values)
  const start = random.between(0, value.length - 1)
  const piece = value.slice(start, start + random.between(1, 6))
  const text = random.pick([
    value,
    value,
    value,
    piece,
    piece,
    piece,
    random.chance(0.5) ? piece.toUpperCase() : piece.toLowerCase(),
    random.chance(0.5) ? value.toUpperCase() : value.toLowerCase(),
    value.slice(0, start + 1),
    value.slice(start),
    random.pick(HOSTILE),
  ])
  return text.toWellFormed()
}

/** A pattern that means the same to RE2 and to JavaScript. */
function makePattern(random: SeededRandom, values: readonly string[]): string {
  const atom = (): string =>
    random.pick([
      () => escape(makeText(random, values).slice(0, 8).replaceAll('\u0000', '').toWellFormed()),
      () =>
        random.pick([
          '[a-z]',
          '[^a-z]',
          '[0-9]+',
          '[A-Za-z]{2,3}',
          '(?:a|e)',
          '(o|ri)',
          '.',
          '.*',
          'a?',
          'e+',
          '\\w',
          '\\d',
          '\\.',
        ]),
    ])()
  const body = Array.from({ length: random.between(1, 3) }, atom).join(random.chance(0.2) ? '|' : '')
  return `${random.chance(0.2) ? '(?i)' : ''}${random.chance(0.2) ? '^' : ''}${body}${random.chance(0.2) ? '$' : ''}`
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

interface Range {
  readonly site_id: string
  readonly start_date: string
  readonly end_date: string
}

/** A single day, a month's border, everything, the days before and after, or any days. */
function makeRange(random: SeededRandom, { site, days }: World, groupBy: readonly string[] = []): Range {
  const first = random.between(0, days.length - 1)
  const day = days[first]!
  const later = days[Math.min(days.length - 1, first + random.between(1, 12))]!
  const next = days[Math.min(days.length - 1, first + 1)]!
  const empty = random.pick([
    ['2027-01-01', '2027-02-01'],
    ['2020-02-29', '2020-02-29'],
    [days[9]!, days[9]!],
  ] as const)
  const short = [
    [day, day],
    [day, next],
    [day, next],
    ['2026-08-31', '2026-09-01'],
    ['2026-08-31', '2026-09-01'],
    ['2026-09-30', '2026-10-01'],
    ['2026-09-30', '2026-10-01'],
    random.chance(0.5) ? empty : [day, day],
  ] as const
  const long = [
    ['2026-08-01', '2026-11-01'],
    [days[0]!, days.at(-1)!],
    ['2026-07-05', day],
    [day, later],
    [day, later],
    [day, later],
  ] as const
  // Rows multiply with every field: fine groups over many days would be asked for page after page.
  const [start_date, end_date] = random.pick(random.chance(0.6 - groupBy.length * 0.15) ? long : short)
  return { site_id: site.id, start_date, end_date }
}

export function makeLimit(random: SeededRandom, usual: number, most: number): number {
  return random.pick([usual, most, random.between(7, most), random.between(1, 7)])
}

/** The body with some of its defaults left out. */
export function send<R>(random: SeededRandom, limitMax: number, asked: R, body: object): Sent<R> {
  const shown = Object.entries(body).filter(([, value]) => value !== undefined)
  return { asked, body: Object.fromEntries(random.shuffle(shown)) as Partial<R>, limitMax }
}

export function leaveOut<T>(random: SeededRandom, value: T, usual: T): T | undefined {
  return JSON.stringify(value) === JSON.stringify(usual) && random.chance(0.7) ? undefined : value
}

export function at<T>(items: readonly T[], index: number): T {
  return items[index % items.length]!
}

/** Every subset that isn't empty, in the order of the items. */
function listSubsets<T>(items: readonly T[]): T[][] {
  return Array.from({ length: 2 ** items.length - 1 }, (_, bits) =>
    items.filter((_, index) => (bits + 1) & (1 << index)),
  )
}

/** Every subset in every order, the empty one first. */
export function listOrders<T>(items: readonly T[]): T[][] {
  return [
    [],
    ...items.flatMap((item) => listOrders(items.filter((other) => other !== item)).map((rest) => [item, ...rest])),
  ]
}

/** Each list also with a week and with a month for its date. */
function withBuckets<T extends string>(lists: readonly (readonly T[])[]): (T | 'week' | 'month')[][] {
  return lists.flatMap((list) =>
    list.some((name) => name === 'date')
      ? (['date', 'week', 'month'] as const).map((time) => list.map((name) => (name === 'date' ? (time as T) : name)))
      : [[...list]],
  )
}

/** In a third of the requests a model, a provider or both among the fields, at any place. */
function withModels<T extends string>(random: SeededRandom, fields: readonly T[]): (T | 'model' | 'provider')[] {
  const more = random.pick([[], [], ['model'], ['provider'], [], ['provider', 'model']] as const)
  return more.length === 0 ? [...fields] : random.shuffle([...fields, ...more])
}
