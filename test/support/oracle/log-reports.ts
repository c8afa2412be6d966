import type { BotsRequest } from '../../../src/reports/bots/contract.ts'
import type { Filter } from '../../../src/reports/request.ts'
import type { ReferralsRequest } from '../../../src/reports/referrals/contract.ts'
import { type Fields, fieldsOf, passes } from './filter.ts'
import { monthOf, weekOf } from './buckets.ts'
import { toLocalTime } from './local-time.ts'
import type { LogWorld, TrueHit, TrueVisit } from './log-world.ts'
import { ascending, type Compare, descending, inOrderOf } from './order.ts'

type Values = Readonly<Record<string, string | number>>

/** Rows of the bots report, counted hit by hit (contract/api 5.9 and 12.5). */
export function expectBots({ hits }: LogWorld, request: BotsRequest): Values[] {
  const mentionsVerified = request.filter !== undefined && fieldsOf(request.filter).includes('verified')
  const counted = hits.filter(({ verification }) => mentionsVerified || verification !== 'spoofed')
  return toRows(counted, request, toBotFields, (group) => ({
    hits: group.length,
    pages: countDistinct(group),
    verified_share: group.filter(({ verification }) => verification === 'verified').length / group.length,
    error_hits: group.filter(({ isError }) => isError).length,
    last_visit: findLast(group),
  }))
}

/** Rows of the referrals report, counted visit by visit. */
export function expectReferrals({ visits }: LogWorld, request: ReferralsRequest): Values[] {
  return toRows(visits, request, toVisitFields, (group) => ({
    visits: group.length,
    landing_pages: countDistinct(group),
    last_visit: findLast(group),
  }))
}

function toBotFields({ bot, verification, path, pageType }: TrueHit): Record<string, string> {
  return {
    bot_name: bot.name,
    bot_provider: bot.provider,
    bot_type: bot.type,
    verified: String(verification === 'verified'),
    path,
    page_type: pageType,
  }
}

function toVisitFields({ source, path, pageType }: TrueVisit): Record<string, string> {
  return { referral_source: source, path, page_type: pageType }
}

interface Asked {
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
  readonly group_by: readonly string[]
  readonly metrics: readonly string[]
  readonly filter?: Filter | undefined
  readonly sort?: { readonly field: string; readonly dir: 'asc' | 'desc' } | undefined
}

function toRows<T extends { readonly timeMs: number }>(
  items: readonly T[],
  { start_date, end_date, timezone, group_by, metrics, filter, sort }: Asked,
  toFields: (item: T) => Record<string, string>,
  measure: (group: readonly T[]) => Values,
): Values[] {
  const groups = new Map<string, { key: Values; group: T[] }>()
  for (const item of items) {
    const { date, hour } = toLocalTime(item.timeMs, timezone)
    const fields: Fields = toFields(item)
    if (date < start_date || date > end_date || !passes(filter, fields)) continue
    const all: Record<string, string> = { date, week: weekOf(date), month: monthOf(date), hour, ...toFields(item) }
    const key = Object.fromEntries(group_by.map((name) => [name, all[name]!]))
    const text = JSON.stringify(key)
    const found = groups.get(text) ?? { key, group: [] }
    found.group.push(item)
    groups.set(text, found)
  }
  const rows = [...groups.values()].map(({ key, group }): Values => {
    const measured = measure(group)
    return { ...key, ...Object.fromEntries(metrics.map((metric) => [metric, measured[metric]!])) }
  })
  return rows.sort(toOrder(group_by, metrics, sort))
}

/** contract/api 5.5. */
function toOrder(groupBy: readonly string[], metrics: readonly string[], sort: Asked['sort']): Compare<Values> {
  const times = ['date', 'week', 'month', 'hour'].filter((name) => groupBy.includes(name))
  const by = (name: string) => (row: Values) => row[name]!
  return inOrderOf(
    ...(sort ? [(sort.dir === 'asc' ? ascending : descending)(by(sort.field))] : []),
    ...times.map((name) => ascending(by(name))),
    descending(by(metrics[0]!)),
    ...groupBy.filter((name) => !times.includes(name)).map((name) => ascending(by(name))),
  )
}

function countDistinct(group: readonly { readonly path: string }[]): number {
  return new Set(group.map(({ path }) => path)).size
}

function findLast(group: readonly { readonly timeMs: number }[]): string {
  const last = group.reduce((latest, { timeMs }) => Math.max(latest, timeMs), 0)
  return `${new Date(last).toISOString().slice(0, 19)}Z`
}
