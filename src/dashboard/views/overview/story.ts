import type { Schemas } from '../../../client/client.ts'

type ChangeRow = Schemas['ChangeRow']
type VisibilityRow = Schemas['VisibilityRow']

/** Prompts that moved significantly. */
export interface Moves {
  readonly rose: readonly ChangeRow[]
  readonly fell: readonly ChangeRow[]
}

/** The most named competitor, if any is named. */
export function findRival(brands: readonly VisibilityRow[]): VisibilityRow | undefined {
  const [rival] = brands
    .filter(({ brand }) => !brand.owned)
    .sort((a, b) => (b.mention_rate ?? 0) - (a.mention_rate ?? 0))
  return (rival?.mention_rate ?? 0) > 0 ? rival : undefined
}

/** The engines that name the brand most and least, of rows by `platform`; neither with fewer than two, or where they don't differ. */
export function findApart(engines: readonly VisibilityRow[]): { most?: VisibilityRow; least?: VisibilityRow } {
  const byRate = [...engines].sort((a, b) => (b.mention_rate ?? 0) - (a.mention_rate ?? 0))
  const [most] = byRate
  const least = byRate.at(-1)
  return most !== undefined && least !== undefined && areApart(most, least) ? { most, least } : {}
}

/** Which prompts moved, of rows by `prompt`. */
export function findMoved(changes: readonly ChangeRow[]): Moves {
  return {
    rose: changes.filter(({ verdict }) => verdict === 'up'),
    fell: changes.filter(({ verdict }) => verdict === 'down'),
  }
}

/** Whether two rates' intervals leave no doubt which is higher: engines that may be equal aren't told apart. */
function areApart(high: VisibilityRow, low: VisibilityRow): boolean {
  const bottom = high.mention_rate_low
  const top = low.mention_rate_high
  return typeof bottom === 'number' && typeof top === 'number' && bottom > top
}

/** The prompts that moved, the greatest change first, whichever way. */
export function listMoved({ rose, fell }: Moves): ChangeRow[] {
  return [...rose, ...fell].sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0))
}

/** The rates of each engine by week, in the order of the weeks; null where an engine has no answer in a week. */
export function toWeeklyRates(rows: readonly VisibilityRow[]): Map<Schemas['EngineId'], (number | null)[]> {
  const weeks = [...new Set(rows.map(({ week = '' }) => week))].sort()
  const place = new Map(weeks.map((week, index) => [week, index]))
  const rates = new Map<Schemas['EngineId'], (number | null)[]>()
  for (const { platform, week = '', mention_rate = null } of rows) {
    if (platform === undefined) continue
    const values = rates.get(platform) ?? weeks.map(() => null)
    values[place.get(week) ?? 0] = mention_rate
    rates.set(platform, values)
  }
  return rates
}
