import { seededRandom, type SeededRandom } from '../../../data/demo/generator/random.ts'
import { BOT_TYPES, PAGE_TYPES } from '../../../src/domain/enums.ts'
import { BOT_DIMENSIONS, BOT_METRICS, type BotsRequest } from '../../../src/reports/bots/contract.ts'
import { type Condition, type Filter, TEXT_OPERATORS } from '../../../src/reports/request.ts'
import {
  REFERRAL_DIMENSIONS,
  REFERRAL_METRICS,
  type ReferralsRequest,
} from '../../../src/reports/referrals/contract.ts'
import { allowsTimes } from '../../support/oracle/buckets.ts'
import type { LogWorld } from '../../support/oracle/log-world.ts'

/** A request as it is sent: what may be left out sometimes is. */
export interface SentLog<R> {
  readonly asked: R
  readonly body: object
}

/** Zones of every kind: whole, half and quarter hours, both hemispheres, 30-minute summer time, clocks that change at midnight, the date line. */
export const ZONES = [
  'UTC',
  'Etc/UTC',
  'Etc/GMT+12',
  'Etc/GMT-14',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Lisbon',
  'Europe/Dublin',
  'Europe/Kyiv',
  'Europe/Kiev',
  'Europe/Istanbul',
  'Europe/Moscow',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/St_Johns',
  'America/Halifax',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Asuncion',
  'America/Caracas',
  'America/Nuuk',
  'US/Pacific',
  'Asia/Kolkata',
  'Asia/Calcutta',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Kabul',
  'Asia/Yangon',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Asia/Pyongyang',
  'Asia/Karachi',
  'Australia/Sydney',
  'Australia/Adelaide',
  'Australia/Darwin',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Australia/Perth',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Marquesas',
  'Pacific/Pago_Pago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Johannesburg',
  'Africa/Monrovia',
  'Atlantic/Azores',
  'Atlantic/Stanley',
  'Antarctica/Troll',
  'Indian/Cocos',
] as const

export function makeBotsRequests(world: LogWorld, count: number): SentLog<BotsRequest>[] {
  const groups = listOrders(BOT_DIMENSIONS, 3).filter(allowsTimes)
  const values = {
    bot_name: [...new Set(world.hits.map(({ bot }) => bot.name)), 'CCBot'],
    bot_provider: [...new Set(world.hits.map(({ bot }) => bot.provider)), 'OpenAI'],
    path: [...new Set(world.hits.map(({ path }) => path))],
  }
  const fields = { ...values, bot_type: BOT_TYPES, page_type: PAGE_TYPES, verified: 'boolean' as const }
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`bots ${index}`)
    return makeRequest(random, {
      group_by: groups[(index * 37) % groups.length]!,
      dimensions: BOT_DIMENSIONS,
      metrics: BOT_METRICS,
      fields,
      texts: Object.keys(values),
      index,
    }) as SentLog<BotsRequest>
  })
}

export function makeReferralsRequests(world: LogWorld, count: number): SentLog<ReferralsRequest>[] {
  const groups = listOrders(REFERRAL_DIMENSIONS, 3).filter(allowsTimes)
  const values = {
    referral_source: [...new Set(world.visits.map(({ source }) => source)), 'grok'],
    path: [...new Set(world.visits.map(({ path }) => path))],
  }
  return Array.from({ length: count }, (_, index) => {
    const random = seededRandom(`referrals ${index}`)
    return makeRequest(random, {
      group_by: groups[(index * 37) % groups.length]!,
      dimensions: REFERRAL_DIMENSIONS,
      metrics: REFERRAL_METRICS,
      fields: { ...values, page_type: PAGE_TYPES },
      texts: Object.keys(values),
      index,
    }) as SentLog<ReferralsRequest>
  })
}

type FilterFields = Readonly<Record<string, readonly string[] | 'boolean'>>

interface Choices {
  readonly group_by: readonly string[]
  readonly dimensions: readonly string[]
  readonly metrics: readonly string[]
  readonly fields: FilterFields
  /** Fields that take every operator. */
  readonly texts: readonly string[]
  readonly index: number
}

function makeRequest(random: SeededRandom, choices: Choices): SentLog<object> {
  const { group_by, index } = choices
  const isWhole = random.chance(0.2)
  const metrics = isWhole ? choices.metrics : makeSubset(random, choices.metrics)
  const sortable = [...group_by, ...metrics]
  const sort = random.chance(0.5)
    ? { field: random.pick(sortable), dir: random.pick(['asc', 'desc'] as const) }
    : undefined
  const timezone = index % 4 === 0 ? 'UTC' : ZONES[index % ZONES.length]!
  const filter = random.chance(0.35) ? undefined : makeFilter(random, choices, random.between(1, 4))
  const limit = random.pick([100, 500, random.between(7, 500), random.between(20, 60)])
  const asked = { site_id: 'logs', ...makeRange(random), timezone, group_by, metrics, filter, sort, limit }
  const leaveOut = <T>(value: T, usual: T): T | undefined =>
    JSON.stringify(value) === JSON.stringify(usual) && random.chance(0.7) ? undefined : value
  const body = {
    ...asked,
    timezone: leaveOut(timezone, 'UTC'),
    group_by: leaveOut(group_by, []),
    metrics: leaveOut(metrics, choices.metrics),
    limit: leaveOut(limit, 100),
    sort: sort?.dir === 'desc' && random.chance(0.5) ? { field: sort.field } : sort,
  }
  return {
    asked,
    body: Object.fromEntries(random.shuffle(Object.entries(body).filter(([, value]) => value !== undefined))),
  }
}

function makeFilter(random: SeededRandom, choices: Choices, depth: number): Filter {
  if (depth <= 1) return makeCondition(random, choices)
  const member = (): Filter => makeFilter(random, choices, random.between(1, depth - 1))
  const members = (): Filter[] => Array.from({ length: random.pick([1, 2, 2, 3]) }, member)
  return random.pick([() => ({ and: members() }), () => ({ or: members() }), () => ({ not: member() })])()
}

function makeCondition(random: SeededRandom, { fields, texts }: Choices): Condition {
  const field = random.pick(Object.keys(fields))
  const values = fields[field]!
  if (values === 'boolean') return { field, op: random.pick(['is', 'not_is']), value: random.chance(0.5) }
  const isText = texts.includes(field)
  const value = (): string => (isText ? makeText(random, values) : random.pick(values))
  if (random.chance(0.3)) {
    return { field, op: random.pick(['in', 'not_in']), value: Array.from({ length: random.between(1, 5) }, value) }
  }
  if (!isText) return { field, op: random.pick(['is', 'not_is']), value: value() }
  const op = random.pick(TEXT_OPERATORS)
  return { field, op, value: op === 'matches' ? makePattern(random, values) : value() }
}

/** A value as it is, a piece of one, one in another case, or what breaks text that is pasted together. */
function makeText(random: SeededRandom, values: readonly string[]): string {
  const value = random.pick(values)
  const start = random.between(0, value.length - 1)
  const piece = value.slice(start, start + random.between(1, 6)).toWellFormed()
  return random.pick([value, value, piece, piece, value.toUpperCase(), piece.toLowerCase(), random.pick(HOSTILE)])
}

const HOSTILE = [
  "'",
  '"',
  "'); DROP TABLE hits; --",
  '%',
  '_',
  '\\',
  '$1',
  '?',
  '\u0000',
  'ß',
  'İ',
  'i',
  '/',
  'é',
  'NULL',
  'true',
]

/** A pattern that means the same to RE2 and to JavaScript. */
function makePattern(random: SeededRandom, values: readonly string[]): string {
  const literal = makeText(random, values)
    .slice(0, 8)
    .replaceAll('\u0000', '')
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return random.pick([
    literal,
    `^${literal}`,
    `${literal}$`,
    `${literal}|^/blog`,
    '^/[a-z]+$',
    '[0-9]',
    '[A-Z]',
    '(?i)BOT',
    '.',
    'x{3}',
  ])
}

/** Days at whose borders clocks change, months, years, everything, and days without any hit. */
function makeRange(random: SeededRandom): { start_date: string; end_date: string } {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const start = Date.parse(random.pick(['2026-02-20', '2026-09-01'])) + random.between(0, 120) * 86_400_000
  const [start_date, end_date] = random.pick([
    ['2026-10-25', '2026-10-25'],
    ['2026-03-29', '2026-03-29'],
    ['2026-11-01', '2026-11-01'],
    ['2026-03-08', '2026-03-09'],
    ['2026-02-28', '2026-03-01'],
    ['2026-12-31', '2027-01-01'],
    ['2026-01-01', '2027-02-05'],
    ['2026-01-01', '2027-02-05'],
    ['2026-02-01', '2026-04-30'],
    ['2026-09-30', '2026-12-01'],
    ['2026-10-01', '2026-10-31'],
    ['2020-02-29', '2020-02-29'],
    [day(start), day(start)],
    [day(start), day(start + random.between(1, 10) * 86_400_000)],
    [day(start), day(start + random.between(20, 120) * 86_400_000)],
  ] as const)
  return { start_date, end_date }
}

function makeSubset(random: SeededRandom, metrics: readonly string[]): string[] {
  return random.shuffle(metrics).slice(0, random.between(1, metrics.length))
}

/** Every way to name up to `most` of the items, in every order. */
function listOrders(items: readonly string[], most: number): string[][] {
  if (most === 0) return [[]]
  const shorter = listOrders(items, most - 1)
  const longer = shorter
    .filter((order) => order.length === most - 1)
    .flatMap((order) => items.filter((item) => !order.includes(item)).map((item) => [...order, item]))
  return [...shorter, ...longer]
}
