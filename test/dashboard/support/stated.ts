import fc from 'fast-check'
import type { Asked } from './asked.ts'

/** The last day of the demo, and the first one that states ask for. */
const LATEST = '2026-11-15'
const EARLIEST = '2026-08-20'
const DAY_MS = 86_400_000

const SITE = 'fernwick.example'
const ENGINES = ['ai_overviews', 'ai_mode', 'chatgpt', 'perplexity', 'gemini', 'copilot', 'claude']
const CATEGORIES = ['Discovery', 'Comparison', 'Alternatives', 'How-to', 'Pricing', 'Brand']
const METRICS = ['mention_rate', 'citation_rate', 'prompt_coverage', 'share_of_voice', 'visibility_score']
const KINDS = ['forum', 'video', 'review', 'roundup', 'editorial', 'marketplace', 'reference', 'social', 'brand']

/** The views that show numbers of reports. */
export const NUMBER_VIEWS = [
  'overview',
  'visibility',
  'prompts',
  'answers',
  'sources',
  'competitors',
  'tone',
  'crawlers',
  'visitors',
] as const
export type NumberView = (typeof NUMBER_VIEWS)[number]

/** What a URL says, in the URL's own words; empty where it says nothing. */
export interface Stated {
  readonly view: NumberView
  readonly from: string
  readonly to: string
  readonly compare: '' | 'none'
  readonly engine: readonly string[]
  readonly category: readonly string[]
  readonly more: Readonly<Record<string, string>>
}

const either = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom('', ...values)
const own: Readonly<Record<NumberView, Readonly<Record<string, fc.Arbitrary<string>>>>> = {
  overview: {},
  visibility: {
    by: either('platform', 'category'),
    metric: either(...METRICS.slice(1)),
    cells: either('category'),
    order: either('low', 'name'),
    brands: either('Halvorix', 'Halvorix,Fernwick'),
  },
  prompts: { status: either('active', 'disabled'), q: either('help') },
  answers: { named: either('yes', 'no'), tone: either('negative', 'not_judged'), brand: either('Halvorix') },
  sources: {
    entity: either('page'),
    owner: either('own', 'third_party'),
    kind: either(...KINDS),
    gap: either('cited'),
  },
  competitors: {},
  tone: { show: either('negative', 'positive'), by: either('platform') },
  crawlers: { by: either('purpose', 'provider'), bot: either('GPTBot'), page_type: either('docs_support') },
  visitors: { source: either('chatgpt'), page_type: either('pricing') },
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * DAY_MS)
const SPAN = (Date.parse(LATEST) - Date.parse(EARLIEST)) / DAY_MS

const days: fc.Arbitrary<Pick<Stated, 'from' | 'to'>> = fc.oneof(
  fc.constant({ from: '', to: '' }),
  fc.constant({ from: addDays(LATEST, -6), to: LATEST }),
  fc.tuple(fc.integer({ min: 0, max: SPAN - 1 }), fc.integer({ min: 1, max: 45 })).map(([first, length]) => ({
    from: addDays(EARLIEST, first),
    to: addDays(EARLIEST, Math.min(SPAN, first + length - 1)),
  })),
)

/** States of the views, every view as often as the others. */
export const stated: fc.Arbitrary<Stated> = fc
  .constantFrom(...NUMBER_VIEWS)
  .chain((view) =>
    fc.record({
      view: fc.constant(view),
      days,
      compare: fc.constantFrom('' as const, '' as const, 'none' as const),
      engine: fc.oneof(fc.constant([]), fc.subarray(ENGINES, { minLength: 1, maxLength: 3 })),
      category: fc.oneof(fc.constant([]), fc.constant([]), fc.subarray(CATEGORIES, { minLength: 1, maxLength: 2 })),
      more: fc.record(own[view]),
    }),
  )
  .map(({ days: { from, to }, ...rest }) => ({ ...rest, from, to }))

export const plainly = (view: NumberView): Stated => ({
  view,
  from: '',
  to: '',
  compare: '',
  engine: [],
  category: [],
  more: {},
})

export function toUrl({ view, from, to, compare, engine, category, more }: Stated): string {
  const parameters = { from, to, compare, engine: engine.join(','), category: category.join(','), ...more }
  const said = Object.entries(parameters).filter(([, value]) => value !== '')
  return `/sites/${SITE}/${view}${said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`}`
}

interface Range {
  readonly start: string
  readonly end: string
}

/** The days that a URL means: 28 days to the last with answers unless it says others. */
function toRange({ from, to }: Stated): Range {
  const end = to || LATEST
  return { start: from || addDays(end, -27), end }
}

/** The days it is compared with: as many, so many whole weeks earlier that the two don't meet. */
function toCompared({ start, end }: Range): Range {
  const length = (Date.parse(end) - Date.parse(start)) / DAY_MS + 1
  const back = Math.ceil(length / 7) * 7
  return { start: addDays(start, -back), end: addDays(end, -back) }
}

const ANSWER_REPORTS = /^\/reports\/(visibility|citations|sentiment|changes|searches)$/
const LOG_REPORTS = /^\/reports\/(bots|referrals)$/

/** What is wrong with a question of a page at this URL; nothing where it asks what the URL means. */
export function listMisreadings(state: Stated, { path, body = {} }: Asked): readonly string[] {
  const isOfAnswers = ANSWER_REPORTS.test(path)
  if (!isOfAnswers && !LOG_REPORTS.test(path)) return []
  const range = toRange(state)
  const asked = { start: String(body['start_date']), end: String(body['end_date']) }
  const isIn = ({ start, end }: Range): boolean => asked.start === start && asked.end === end
  const isCompared = state.compare === '' && isIn(toCompared(range))
  // One answer is looked at among those of its day.
  const isOneDay = state.view === 'answers' && asked.start === asked.end
  const wrong: string[] = []
  if (!isIn(range) && !isCompared && !isOneDay) wrong.push(`asks for ${asked.start} to ${asked.end}`)
  if (path === '/reports/changes' && state.compare === 'none') wrong.push('compares, which the URL does not')
  if (path === '/reports/changes') {
    const compared = toCompared(range)
    if (body['compare_start_date'] !== compared.start || body['compare_end_date'] !== compared.end)
      wrong.push(`compares with ${String(body['compare_start_date'])} to ${String(body['compare_end_date'])}`)
  }
  const conditions = listConditions(body['filter'])
  const hasValues = (field: string, values: readonly string[]): boolean =>
    conditions.some(
      (condition) =>
        condition['field'] === field &&
        JSON.stringify([condition['value']].flat().toSorted()) === JSON.stringify([...values].toSorted()),
    )
  const needs = isOfAnswers
    ? { platform: state.engine, category: state.category }
    : {
        bot_name: one(state.more['bot']),
        page_type: one(state.more['page_type']),
        referral_source: one(state.more['source']),
      }
  for (const [field, values] of Object.entries(needs)) {
    if (values.length > 0 && !hasValues(field, values) && !isOneDay && !isOfAll(state, body))
      wrong.push(`does not ask for ${field} ${values.join(', ')}`)
    if (isOfAnswers && values.length === 0 && !isOneDay && conditions.some((condition) => condition['field'] === field))
      wrong.push(`asks for some ${field}, which the URL does not`)
  }
  return wrong
}

const one = (value: string | undefined): readonly string[] => (value ? [value] : [])

/** What is asked whatever is filtered, because it says what there is at all: which days and engines have data. */
function isOfAll(
  { view }: Stated,
  { group_by = [], metrics = [], filter }: Readonly<Record<string, unknown>>,
): boolean {
  const grouped = JSON.stringify(group_by)
  if (view === 'overview') return grouped === '["date","platform"]' && JSON.stringify(metrics) === '["answers"]'
  return (
    ['crawlers', 'visitors'].includes(view) &&
    grouped === '["date"]' &&
    (filter === undefined || 'or' in Object(filter))
  )
}

/** The conditions that all must hold. */
function listConditions(filter: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (filter === undefined) return []
  const { and } = Object(filter) as { readonly and?: readonly unknown[] }
  if (and !== undefined) return and.flatMap(listConditions)
  return [Object(filter) as Record<string, unknown>]
}

/** Whether an answer is among those that a URL asks for, as far as the list of answers can't be asked for it. */
export function isWanted({ view, more }: Stated, { path }: Asked, row: Readonly<Record<string, unknown>>): boolean {
  if (view !== 'answers' || path !== '/answers') return true
  const { named = '', tone = '', brand = '' } = more
  const isNamed = row['brand_mentioned'] === true
  const spoken = isNamed ? (row['sentiment'] ?? 'not_judged') : undefined
  return (
    (named === '' || isNamed === (named === 'yes')) &&
    (tone === '' || spoken === tone) &&
    (brand === '' || (row['mentions'] as readonly string[]).includes(brand))
  )
}
