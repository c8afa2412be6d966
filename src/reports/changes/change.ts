/** Prompts below which nothing is concluded, and below which signs are flipped in the place of Student's t (docs/methods.md 6). */
export const PROMPTS_MIN = 6
export const PROMPTS_OF_T = 12
/** Under this part of what a metric can be, a spread or a change is rounding. */
export const ROUNDING = 1e-9

/** Answers of a cell in a range (for share of voice: its mentions of brands), and those of them that name or cite the brand. */
export interface Sums {
  readonly n: number
  readonly s: number
}

/** One prompt on one engine, with what it has in the two ranges. `prompt` is any key: cells of one prompt have the same. */
export interface Cell {
  readonly prompt: string | number
  readonly previous: Sums
  readonly current: Sums
}

/** What a prompt adds to a change, and how much that is above what its weight alone would. */
export interface PromptPart {
  readonly prompt: string | number
  /** Parts add up to the change. */
  readonly part: number
  /** Influences add up to 0. */
  readonly influence: number
}

/** A measure in two ranges, over the same prompts and engines, clustered by prompt. */
export interface Change {
  readonly value: number
  readonly previous: number
  /** `value` − `previous`. */
  readonly change: number
  /** One entry for each prompt with weight; there is at least one. */
  readonly prompts: readonly PromptPart[]
  /** Of `change`; null with one prompt, which has nothing to vary against. */
  readonly variance: number | null
  /** Degrees of freedom: the prompts less one. */
  readonly df: number
}

/**
 * How a rate s/n changed: each cell counts by its weight n₁·n₂/(n₁+n₂), so that a prompt asked more often in one range
 * doesn't pass for a change. Null when no cell has weight, which takes answers in both ranges.
 */
export function compareRates(cells: readonly Cell[]): Change | null {
  const weighed = cells
    .map((cell) => ({ ...cell, weight: toWeight(cell) }))
    .filter(({ weight }) => weight > 0)
    .map(({ prompt, previous, current, weight }) => ({
      prompt,
      weight,
      value: current.s / current.n,
      previous: previous.s / previous.n,
    }))
  return toChange(weighed)
}

/** A cell's weight n₁·n₂/(n₁+n₂); 0 without answers in one of the ranges. */
export function toWeight({ previous, current }: Pick<Cell, 'previous' | 'current'>): number {
  return previous.n === 0 || current.n === 0 ? 0 : (previous.n * current.n) / (previous.n + current.n)
}

/**
 * How the share of prompts with an answer that names the brand changed. More answers cover more prompts by themselves, so
 * both ranges of a cell are cut to as many answers as the smaller one has, in expectation over which of them are kept.
 * Each prompt weighs 1. Null without a cell that has answers in both ranges.
 */
export function compareCoverage(cells: readonly Cell[]): Change | null {
  const missed = new Map<Cell['prompt'], { previous: number; current: number }>()
  for (const { prompt, previous, current } of cells) {
    const kept = Math.min(previous.n, current.n)
    if (kept === 0) continue
    const before = missed.get(prompt) ?? { previous: 1, current: 1 }
    missed.set(prompt, {
      previous: before.previous * chanceOfNone(previous, kept),
      current: before.current * chanceOfNone(current, kept),
    })
  }
  return toChange(
    Array.from(missed, ([prompt, { previous, current }]) => ({
      prompt,
      weight: 1,
      value: 1 - current,
      previous: 1 - previous,
    })),
  )
}

/** The chance that none of `kept` answers drawn from n is one of the s: C(n−s, kept) / C(n, kept). */
function chanceOfNone({ n, s }: Sums, kept: number): number {
  let chance = 1
  for (let drawn = 0; drawn < kept && chance > 0; drawn++) chance *= (n - s - drawn) / (n - drawn)
  return Math.max(0, chance)
}

/** The sum of changes, each times its factor: their prompts' parts and influences add up alike. The changes must be of the same prompts. */
export function addChanges(terms: readonly (readonly [factor: number, change: Change])[]): Change {
  const sum = (of: (change: Change) => number): number =>
    terms.reduce((total, [factor, change]) => total + factor * of(change), 0)
  const parts = new Map<Cell['prompt'], PromptPart>()
  for (const [factor, { prompts }] of terms) {
    for (const { prompt, part, influence } of prompts) {
      const before = parts.get(prompt) ?? { part: 0, influence: 0 }
      parts.set(prompt, {
        prompt,
        part: before.part + factor * part,
        influence: before.influence + factor * influence,
      })
    }
  }
  return {
    value: sum(({ value }) => value),
    previous: sum(({ previous }) => previous),
    change: sum(({ change }) => change),
    ...toSpread([...parts.values()]),
  }
}

interface Weighed {
  readonly prompt: Cell['prompt']
  readonly weight: number
  readonly value: number
  readonly previous: number
}

function toChange(weighed: readonly Weighed[]): Change | null {
  if (weighed.length === 0) return null
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (of: (each: Weighed) => number): number =>
    weighed.reduce((sum, each) => sum + each.weight * of(each), 0) / total
  const change = mean(({ value, previous }) => value - previous)
  const parts = new Map<Cell['prompt'], PromptPart>()
  for (const { prompt, weight, value, previous } of weighed) {
    const before = parts.get(prompt) ?? { part: 0, influence: 0 }
    const difference = value - previous
    parts.set(prompt, {
      prompt,
      part: before.part + (weight * difference) / total,
      influence: before.influence + (weight * (difference - change)) / total,
    })
  }
  return {
    value: mean(({ value }) => value),
    previous: mean(({ previous }) => previous),
    change,
    ...toSpread([...parts.values()]),
  }
}

/** V = G/(G−1) · Σ influence². */
function toSpread(prompts: readonly PromptPart[]): Pick<Change, 'prompts' | 'variance' | 'df'> {
  const squares = prompts.reduce((sum, { influence }) => sum + influence ** 2, 0)
  const df = prompts.length - 1
  return { prompts, variance: df === 0 ? null : (prompts.length / df) * squares, df }
}
