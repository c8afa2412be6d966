import type { Schemas } from '../../../client/client.ts'

/** The mention rate of each brand from day to day; a day without answers is a gap. */
export function toTrends(
  rows: readonly Schemas['VisibilityRow'][],
  days: readonly string[],
): ReadonlyMap<string, readonly (number | null)[]> {
  const place = new Map(days.map((day, index) => [day, index]))
  const trends = new Map<string, (number | null)[]>()
  for (const { brand, date = '', answers = 0, mention_rate } of rows) {
    const index = place.get(date)
    if (index === undefined || answers === 0 || mention_rate === undefined) continue
    const trend = trends.get(brand.name) ?? days.map(() => null)
    trend[index] = mention_rate
    trends.set(brand.name, trend)
  }
  return trends
}
