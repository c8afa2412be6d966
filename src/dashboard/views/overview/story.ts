import type { Schemas } from '../../api.ts'

type ChangeRow = Schemas['ChangeRow']
type VisibilityRow = Schemas['VisibilityRow']

/** What the overview's first sentences say, from rows as the reports gave them. */
export interface Story {
  /** The most named competitor, if there is any. */
  readonly rival: VisibilityRow | undefined
  /** Prompts that moved significantly. */
  readonly rose: readonly ChangeRow[]
  readonly fell: readonly ChangeRow[]
  /** The engines that name the brand most and least; undefined with fewer than two, or where they don't differ. */
  readonly most: VisibilityRow | undefined
  readonly least: VisibilityRow | undefined
}

/** Finds what is worth saying first. `engines` are rows by `platform`, `changes` rows by `prompt`, of the own brand. */
export function toStory(
  brands: readonly VisibilityRow[],
  engines: readonly VisibilityRow[],
  changes: readonly ChangeRow[],
): Story {
  const byRate = [...engines].sort((a, b) => (b.mention_rate ?? 0) - (a.mention_rate ?? 0))
  const [most] = byRate
  const least = byRate.at(-1)
  const apart = areApart(most, least)
  const [rival] = brands
    .filter(({ brand }) => !brand.owned)
    .sort((a, b) => (b.mention_rate ?? 0) - (a.mention_rate ?? 0))
  return {
    rival: (rival?.mention_rate ?? 0) > 0 ? rival : undefined,
    rose: changes.filter(({ verdict }) => verdict === 'up'),
    fell: changes.filter(({ verdict }) => verdict === 'down'),
    most: apart ? most : undefined,
    least: apart ? least : undefined,
  }
}

/** Whether two rates' intervals leave no doubt which is higher: engines that may be equal aren't told apart. */
function areApart(high: VisibilityRow | undefined, low: VisibilityRow | undefined): boolean {
  const bottom = high?.mention_rate_low
  const top = low?.mention_rate_high
  return typeof bottom === 'number' && typeof top === 'number' && bottom > top
}

/** The prompts that moved, the greatest change first, whichever way. */
export function listMoved({ rose, fell }: Pick<Story, 'rose' | 'fell'>): ChangeRow[] {
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
