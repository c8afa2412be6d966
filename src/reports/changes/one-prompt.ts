import { type Sums, toWeight } from './change.ts'

/** Answers of a cell in a range, with what its weeks say of their spread: sums over its weeks with answers. */
export interface WeeklySums extends Sums {
  /** Weeks with answers. */
  readonly weeks: number
  /** Σ s², Σ s·n and Σ n² over the weeks. */
  readonly ss: number
  readonly sn: number
  readonly nn: number
}

/** The prompt on one engine, in the two ranges. */
export interface WeeklyCell {
  readonly previous: WeeklySums
  readonly current: WeeklySums
}

/** How a rate of one prompt changed, clustered by week and engine within each range. */
export interface OnePromptChange {
  readonly value: number
  readonly previous: number
  readonly change: number
  /** Null where the weeks are too few to tell. */
  readonly spread: { readonly variance: number; readonly df: number } | null
}

/** Fewer tell too little of the spread. */
const DF_MIN = 5

/**
 * How a rate s/n of one prompt changed over its engines. With one prompt the weeks of each engine are the clusters, each
 * compared with its own engine's rate in its own range. Null when no engine has answers in both ranges.
 */
export function compareOnePrompt(cells: readonly WeeklyCell[]): OnePromptChange | null {
  const weighed = cells.map((cell) => ({ ...cell, weight: toWeight(cell) })).filter(({ weight }) => weight > 0)
  if (weighed.length === 0) return null
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const sumUp = (of: (cell: WeeklyCell) => number): number =>
    weighed.reduce((sum, cell) => sum + cell.weight * of(cell), 0) / total

  const ranges = (['previous', 'current'] as const).map((range) => {
    const weeks = weighed.reduce((sum, cell) => sum + cell[range].weeks, 0)
    const squares = weighed.reduce((sum, cell) => sum + (cell.weight / total) ** 2 * toWeeklySquares(cell[range]), 0)
    return { weeks, variance: (weeks / (weeks - weighed.length)) * squares }
  })
  const df = ranges.reduce((sum, { weeks }) => sum + weeks, 0) - 2 * weighed.length
  const isEnough = df >= DF_MIN && ranges.every(({ weeks }) => weeks > weighed.length)
  return {
    value: sumUp(({ current }) => current.s / current.n),
    previous: sumUp(({ previous }) => previous.s / previous.n),
    change: sumUp(({ current, previous }) => current.s / current.n - previous.s / previous.n),
    spread: isEnough ? { variance: ranges.reduce((sum, { variance }) => sum + variance, 0), df } : null,
  }
}

/** Σ ((s_k − p·n_k) / n)² over the weeks k of a cell in a range, with p = s/n. */
function toWeeklySquares({ n, s, ss, sn, nn }: WeeklySums): number {
  // In whole numbers up to the division, so that equal weeks give 0.
  return (n * n * ss - 2 * n * s * sn + s * s * nn) / n ** 4
}
