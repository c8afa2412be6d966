import type { Schemas } from '../../../client/client.ts'
import type { Metric } from '../../metrics.ts'
import { toMeasured } from '../../metrics.ts'
import type { Line } from '../../parts/line-chart.tsx'
import type { LinesBy } from './choices.ts'

type VisibilityRow = Schemas['VisibilityRow']

const SHOWN_BRANDS = 5

/**
 * The brands of the chart: those that the reader chose and that exist, else the own brand and the next of the
 * leaderboard. `ranked` are the leaderboard's rows. Always the own one first.
 */
export function pickBrands(ranked: readonly VisibilityRow[], chosen: readonly string[]): string[] {
  const own = ranked.filter(({ brand }) => brand.owned).map(({ brand }) => brand.name)
  const names = new Set(ranked.map(({ brand }) => brand.name))
  const others = ranked.filter(({ brand }) => !brand.owned).map(({ brand }) => brand.name)
  const picked =
    chosen.length > 0 ? chosen.filter((name) => names.has(name)) : [...own, ...others.slice(0, SHOWN_BRANDS - 1)]
  return [...picked].sort((a, b) => Number(own.includes(b)) - Number(own.includes(a)))
}

/**
 * Rows by `date` and what the lines are, as lines: a day without a row, or without answers, is a gap. Lines stand in the
 * order of `order`; those without any row are left out.
 */
export function toLines(
  rows: readonly VisibilityRow[],
  days: readonly string[],
  metric: Metric,
  by: LinesBy,
  order: readonly { readonly key: string; readonly name: string }[],
): Line[] {
  const place = new Map(days.map((day, index) => [day, index]))
  const lines = new Map<string, { values: Values; low: Values; high: Values; counts: Values; isOwn: boolean }>()
  for (const row of rows) {
    const index = place.get(row.date ?? '')
    if (index === undefined) continue
    const key = keyOf(row, by)
    const line = lines.get(key) ?? {
      values: none(days),
      low: none(days),
      high: none(days),
      counts: none(days),
      isOwn: by === 'brand' && row.brand.owned,
    }
    const { value, low, high } = toMeasured(row, metric)
    line.values[index] = value
    line.low[index] = low
    line.high[index] = high
    line.counts[index] = row.answers ?? 0
    lines.set(key, line)
  }
  return order.flatMap(({ key, name }) => {
    const line = lines.get(key)
    return line === undefined ? [] : [{ name, ...line }]
  })
}

type Values = (number | null)[]
const none = (days: readonly string[]): Values => days.map(() => null)

/** What a row is a line of. */
function keyOf({ brand, platform, category }: VisibilityRow, by: LinesBy): string {
  return (by === 'brand' ? brand.name : by === 'platform' ? platform : category) ?? ''
}

/** `2`, or `1–3` where chance leaves more than one rank open. */
export function toRankRange({ rank, rank_low, rank_high }: VisibilityRow): string {
  if (typeof rank_low !== 'number' || typeof rank_high !== 'number') return rank === null ? '–' : String(rank)
  return rank_low === rank_high ? String(rank_low) : `${rank_low}–${rank_high}`
}
