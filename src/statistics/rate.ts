import type { Interval } from './interval.ts'
import { NORMAL_CRITICAL_VALUE, type StudentT } from './student-t.ts'

/** One cluster of answers: those of a prompt, or of a week and an engine. `hits` of `answers` are counted. */
export interface ClusterCount {
  readonly answers: number
  readonly hits: number
}

/** A share of answers, and how sure it is. */
export interface Rate {
  readonly hits: number
  readonly answers: number
  /** Clusters with at least one answer. */
  readonly clusters: number
  /** Hits / answers; 0 without answers. */
  readonly rate: number
  /** How many independent answers would say as much; null with fewer than two clusters. */
  readonly effectiveAnswers: number | null
  readonly interval: Interval | null
}

/**
 * A share of answers that resemble each other inside clusters, with its interval (docs/methods.md 2 and 3). Where the share
 * is 0 or 1 the answers don't show how alike they are; then the median of `borrowed`, design effects of the same answers
 * counted for something else, stands in, and without any the clusters count as the answers.
 */
export function toRate(counts: readonly ClusterCount[], borrowed: readonly number[], studentT: StudentT): Rate {
  const present = counts.filter(({ answers }) => answers > 0)
  const clusters = present.length
  const { hits, answers } = sumUp(present)
  const rate = answers === 0 ? 0 : hits / answers
  if (clusters < 2) return { hits, answers, clusters, rate, effectiveAnswers: null, interval: null }
  const effect = toDesignEffect(present) ?? median(borrowed)
  const t = studentT.criticalValue(clusters - 1)
  const effectiveAnswers = effect === undefined ? clusters : (answers / effect) * (NORMAL_CRITICAL_VALUE / t) ** 2
  return { hits, answers, clusters, rate, effectiveAnswers, interval: toWilsonInterval(rate, effectiveAnswers) }
}

/** The variance of a share of answers in clusters, two at least (docs/methods.md 2). */
export function toClusteredVariance(counts: readonly ClusterCount[]): number {
  const present = counts.filter((count) => count.answers > 0)
  const { hits, answers } = sumUp(present)
  const squares = present.reduce((sum, count) => sum + (count.hits - (hits / answers) * count.answers) ** 2, 0)
  return ((present.length / (present.length - 1)) * squares) / answers ** 2
}

/**
 * How many times as many answers are needed as if they were independent: 1 or more (docs/methods.md 2). Undefined where
 * the answers can't tell: a share of 0 or 1, or fewer than two clusters.
 */
export function toDesignEffect(counts: readonly ClusterCount[]): number | undefined {
  const { hits, answers } = sumUp(counts)
  if (hits === 0 || hits === answers || counts.filter((count) => count.answers > 0).length < 2) return undefined
  const rate = hits / answers
  return Math.max(1, (toClusteredVariance(counts) * answers) / (rate * (1 - rate)))
}

/** Wilson's interval of a share of so many independent answers, which need not be a whole number (docs/methods.md 3). */
export function toWilsonInterval(rate: number, answers: number): Interval {
  const z2 = NORMAL_CRITICAL_VALUE ** 2
  const whole = 1 + z2 / answers
  const centre = (rate + z2 / (2 * answers)) / whole
  const half = (Math.sqrt(z2) / whole) * Math.sqrt((rate * (1 - rate)) / answers + z2 / (4 * answers ** 2))
  return { low: rate === 0 ? 0 : Math.max(0, centre - half), high: rate === 1 ? 1 : Math.min(1, centre + half) }
}

/** The middle one in order of size, or the mean of the middle two; undefined of none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

function sumUp(counts: readonly ClusterCount[]): ClusterCount {
  return {
    hits: counts.reduce((sum, count) => sum + count.hits, 0),
    answers: counts.reduce((sum, count) => sum + count.answers, 0),
  }
}
