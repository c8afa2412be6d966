import * as fc from 'fast-check'
import { dayNumber, dayStartMs, shiftDay, weekOf } from '../../src/domain/day.ts'
import {
  BOT_TYPES,
  CATEGORIES,
  ENGINE_IDS,
  OWNERS,
  PAGE_TYPES,
  SENTIMENTS,
  SOURCE_KINDS,
} from '../../src/domain/enums.ts'
import { listZoneOffsets } from '../../src/domain/zone-offsets.ts'
import {
  type Condition,
  type Dialect,
  type PortableQuery,
  toAnswerCitations,
  toAnswerMentions,
  toAnswers,
  toBots,
  toCitations,
  toReferrals,
  toSentiment,
  toVisibility,
} from './portable-sql.ts'

export type Value = string | number | boolean | null
type ApiRow = Readonly<Record<string, unknown>>

/** One request to the API, and what it is in SQL. */
export interface Asked {
  readonly report: string
  readonly path: string
  readonly body: object
  readonly limit: number
  toQuery(dialect: Dialect): PortableQuery
  /** Rows of the API as the SQL gives them. */
  toRows(row: ApiRow): readonly (readonly Value[])[]
}

interface Days {
  readonly firstDay: string
  readonly lastDay: string
}

/** A site with what its data holds, for requests that meet something. */
export interface AskedSite {
  readonly siteId: string
  readonly answers: Days
  readonly logs: Days
  readonly promptIds: readonly string[]
  readonly domains: readonly string[]
  readonly bots: readonly string[]
  readonly sources: readonly string[]
}

const TIMES = ['date', 'week', 'month']

/** At most one of the times, some of the others. */
const groups = (times: readonly string[], others: readonly string[]): fc.Arbitrary<string[]> =>
  fc
    .tuple(fc.option(fc.constantFrom(...times)), fc.subarray([...others], { maxLength: 2 }))
    .map(([time, rest]) => (time === null ? rest : [time, ...rest]))

function conditions(values: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<Condition[]> {
  const one = fc
    .constantFrom(...Object.keys(values).filter((field) => (values[field] ?? []).length > 0))
    .chain((field) => {
      const all = [...(values[field] ?? [])]
      return fc.oneof(
        fc.record({ field: fc.constant(field), op: fc.constantFrom('is', 'not_is'), value: fc.constantFrom(...all) }),
        fc.record({
          field: fc.constant(field),
          op: fc.constantFrom('in', 'not_in'),
          value: fc.subarray(all, { minLength: 1, maxLength: 3 }),
        }),
      )
    })
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<Condition[]>([]) },
    { weight: 3, arbitrary: fc.array(one, { minLength: 1, maxLength: 2 }) },
  )
}

function ranges({ firstDay, lastDay }: Days, daysMax: number): fc.Arbitrary<{ start_date: string; end_date: string }> {
  const days = dayNumber(lastDay) - dayNumber(firstDay)
  return fc.tuple(fc.nat({ max: days }), fc.nat({ max: Math.min(daysMax, days) })).map(([from, length]) => ({
    start_date: shiftDay(firstDay, from),
    end_date: shiftDay(firstDay, Math.min(from + length, days)),
  }))
}

const toFilter = (filter: readonly Condition[]): object => (filter.length === 0 ? {} : { filter: { and: filter } })

/** A group's fields as the SQL gives them. */
function toKey(row: ApiRow, name: string): Value {
  const value = row[name]
  if (name === 'prompt') return (value as { id: string }).id
  return value as Value
}

/** Requests of each report, as many as asked for. */
export function makeQuestions(site: AskedSite, count: number, seed: number): Asked[] {
  const sample = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, { numRuns: count, seed })
  const ofAnswers = { platform: ENGINE_IDS, category: CATEGORIES, prompt: site.promptIds }
  const answerGroups = groups(TIMES, ['platform', 'prompt', 'category'])
  return [
    ...sample(
      fc.record({
        range: ranges(site.answers, 60),
        group_by: answerGroups,
        filter: conditions(ofAnswers),
        brands: fc.constantFrom('all' as const, 'owned' as const),
      }),
    ).map((drawn) => askVisibility(site, drawn)),
    ...sample(
      fc.record({
        range: ranges(site.answers, 40),
        group_by: groups(TIMES, ['platform', 'prompt']),
        filter: conditions({ ...ofAnswers, domain: site.domains, owner: OWNERS, source_kind: SOURCE_KINDS }),
        entity: fc.constantFrom('domain' as const, 'page' as const),
      }),
    ).flatMap((drawn) => (['domain', 'page'] as const).map((entity) => askCitations(site, { ...drawn, entity }))),
    ...sample(
      fc.record({ range: ranges(site.answers, 60), group_by: answerGroups, filter: conditions(ofAnswers) }),
    ).map((drawn) => askSentiment(site, drawn)),
    ...sample(
      fc.record({
        range: ranges(site.logs, 60),
        timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
        group_by: groups(['date', 'hour'], ['bot_name', 'bot_provider', 'bot_type', 'path', 'page_type']),
        filter: conditions({ bot_type: BOT_TYPES, bot_name: site.bots, page_type: PAGE_TYPES }),
        verified: fc.option(fc.boolean()),
      }),
    ).map((drawn) => askBots(site, drawn)),
    ...sample(
      fc.record({
        range: ranges(site.logs, 60),
        timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
        group_by: groups(['date', 'hour'], ['referral_source', 'path', 'page_type']),
        filter: conditions({ referral_source: site.sources, page_type: PAGE_TYPES }),
      }),
    ).map((drawn) => askReferrals(site, drawn)),
    ...sample(
      fc.record({
        range: ranges(site.answers, 4),
        platforms: fc.subarray([...ENGINE_IDS], { minLength: 1, maxLength: 3 }),
      }),
    ).flatMap((drawn) => askAnswers(site, drawn)),
  ]
}

type Range = { readonly start_date: string; readonly end_date: string }
interface Drawn {
  readonly range: Range
  readonly group_by: readonly string[]
  readonly filter: readonly Condition[]
}

/** First days of weeks and months where the API has their names. */
const NAMED_TIMES: Readonly<Record<string, (day: string) => string>> = { week: weekOf, month: (day) => day.slice(0, 7) }

/** What of a row of the SQL is named otherwise in the API. */
export function toNamed(columns: readonly string[], row: readonly Value[]): Value[] {
  return row.map((value, index) => {
    const name = columns[index] ?? ''
    const toName = NAMED_TIMES[name]
    if (toName) return toName(String(value))
    return name === 'owned' || name === 'own_site' ? Boolean(value) : value
  })
}

function askVisibility(
  { siteId }: AskedSite,
  { range, group_by, filter, brands }: Drawn & { readonly brands: 'all' | 'owned' },
): Asked {
  return {
    report: 'visibility',
    path: '/v1/reports/visibility',
    body: { site_id: siteId, ...range, group_by, brands, ...toFilter(filter) },
    limit: 100,
    toQuery: () => toVisibility({ siteId, ...range, group_by, filter, brands }),
    toRows: (row) => {
      const { name, owned } = row['brand'] as { name: string; owned: boolean }
      const metrics = [
        'rank',
        'visibility_score',
        'mention_rate',
        'citation_rate',
        'prompt_coverage',
        'average_position',
        'share_of_voice',
        'answers',
      ]
      return [[...group_by.map((one) => toKey(row, one)), name, owned, ...metrics.map((one) => row[one] as Value)]]
    },
  }
}

function askCitations(
  { siteId }: AskedSite,
  { range, group_by, filter, entity }: Drawn & { readonly entity: 'domain' | 'page' },
): Asked {
  return {
    report: `citations by ${entity}`,
    path: '/v1/reports/citations',
    body: { site_id: siteId, ...range, group_by, entity, ...toFilter(filter) },
    limit: 100,
    toQuery: () => toCitations({ siteId, ...range, group_by, filter, entity }),
    toRows: (row) => [
      [
        ...group_by.map((one) => toKey(row, one)),
        ...[entity, 'owner', 'source_kind', 'rank', 'answers', 'citations', 'citation_share'].map(
          (one) => row[one] as Value,
        ),
      ],
    ],
  }
}

function askSentiment({ siteId }: AskedSite, { range, group_by, filter }: Drawn): Asked {
  const columns = ['positive', 'neutral', 'negative', 'answers_mentioning', 'answers', 'judged_answers']
  return {
    report: 'sentiment',
    path: '/v1/reports/sentiment',
    body: { site_id: siteId, ...range, group_by, metrics: ['judged_answers'], ...toFilter(filter) },
    limit: 100,
    toQuery: () => toSentiment({ siteId, ...range, group_by, filter }),
    toRows: (row) => [[...group_by.map((one) => toKey(row, one)), ...columns.map((one) => row[one] as Value)]],
  }
}

interface DrawnLog extends Drawn {
  readonly timezone: string
}

const SLOT_MS = 900_000

function toLogQuestion(siteId: string, { range, timezone, group_by, filter }: DrawnLog) {
  const fromMs = dayStartMs(shiftDay(range.start_date, -1))
  const toMs = dayStartMs(shiftDay(range.end_date, 2))
  return {
    siteId,
    ...range,
    group_by,
    filter,
    offsets: listZoneOffsets(timezone, fromMs, toMs).map(({ startMs, offsetMs }) => ({
      from: Math.ceil(startMs / SLOT_MS),
      offset: Math.round(offsetMs / SLOT_MS),
    })),
    firstDay: dayNumber(range.start_date),
    lastDay: dayNumber(range.end_date),
  }
}

function toLogKey(row: ApiRow, name: string): Value {
  const value = row[name] as Value
  if (name === 'date') return dayNumber(String(value))
  if (name === 'hour') return Date.parse(`${String(value)}:00Z`) / 3_600_000
  return name === 'last_visit' ? Date.parse(String(value)) / 1_000 : value
}

function askBots({ siteId }: AskedSite, drawn: DrawnLog & { readonly verified: boolean | null }): Asked {
  const { range, timezone, group_by, verified } = drawn
  const filter: Condition[] = [
    ...drawn.filter,
    ...(verified === null ? [] : [{ field: 'verified', op: 'is' as const, value: verified }]),
  ]
  const columns = ['hits', 'pages', 'verified_share', 'error_hits', 'last_visit']
  return {
    report: 'bots',
    path: '/v1/reports/bots',
    body: { site_id: siteId, ...range, timezone, group_by, metrics: columns, ...toFilter(filter) },
    limit: 500,
    toQuery: (dialect) => toBots(toLogQuestion(siteId, { ...drawn, filter }), dialect),
    toRows: (row) => [[...group_by, ...columns].map((one) => toLogKey(row, one))],
  }
}

function askReferrals({ siteId }: AskedSite, drawn: DrawnLog): Asked {
  const { range, timezone, group_by, filter } = drawn
  const columns = ['visits', 'landing_pages', 'last_visit']
  return {
    report: 'referrals',
    path: '/v1/reports/referrals',
    body: { site_id: siteId, ...range, timezone, group_by, metrics: columns, ...toFilter(filter) },
    limit: 500,
    toQuery: (dialect) => toReferrals(toLogQuestion(siteId, drawn), dialect),
    toRows: (row) => [[...group_by, ...columns].map((one) => toLogKey(row, one))],
  }
}

interface ApiAnswer {
  readonly id: string
  readonly date: string
  readonly platform: string
  readonly prompt: { readonly id: string }
  readonly brand_position: number | null
  readonly sentiment: (typeof SENTIMENTS)[number] | null
  readonly provider: string | null
  readonly model: string | null
  readonly market: string | null
  readonly asked_at: string | null
  readonly mentions: readonly string[]
  readonly citations: readonly {
    readonly url: string
    readonly title: string
    readonly domain: string
    readonly position: number
    readonly own_site: boolean
  }[]
}

/** Answers without their texts; what an answer names and cites has queries of its own. */
function askAnswers(
  { siteId }: AskedSite,
  { range, platforms }: { readonly range: Range; readonly platforms: readonly string[] },
): Asked[] {
  const question = { siteId, ...range, filter: [{ field: 'platform', op: 'in' as const, value: platforms }] }
  const ask = (
    report: string,
    include: string[],
    rest: Pick<Asked, 'toQuery'> & { readonly toRows: (answer: ApiAnswer) => readonly (readonly Value[])[] },
  ): Asked => ({
    report,
    path: '/v1/answers',
    body: { site_id: siteId, ...range, platforms, include },
    limit: 50,
    toQuery: rest.toQuery,
    toRows: (row) => rest.toRows(row as unknown as ApiAnswer),
  })
  return [
    ask(
      'answers',
      ['prompt', 'platform', 'date', 'brand_position', 'sentiment', 'provider', 'model', 'market', 'asked_at'],
      {
        toQuery: (dialect) => toAnswers(question, dialect),
        toRows: (a) => [
          [
            a.id,
            a.date,
            a.platform,
            a.prompt.id,
            a.brand_position,
            a.sentiment === null ? 0 : SENTIMENTS.indexOf(a.sentiment) + 1,
            a.provider,
            a.model,
            a.market,
            a.asked_at === null ? null : Date.parse(a.asked_at) / 1_000,
          ],
        ],
      },
    ),
    ask('brands of answers', ['mentions'], {
      toQuery: () => toAnswerMentions(question),
      toRows: ({ id, mentions }) => mentions.map((brand, index) => [id, index + 1, brand]),
    }),
    ask('links of answers', ['citations'], {
      toQuery: () => toAnswerCitations(question),
      toRows: ({ id, citations }) =>
        citations.map((link) => [id, link.position, link.url, link.title, link.domain, link.own_site]),
    }),
  ]
}
