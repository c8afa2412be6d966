import { type Interval, toInterval } from './interval.ts'
import type { StudentT } from './student-t.ts'

/** Under this part of its range a spread is rounding, not chance. */
const SPREAD_MIN = 1e-9

/**
 * The variance of a value, by what it is without each cluster in turn: two at least (docs/methods.md 4).
 */
export function toJackknifeVariance(leftOut: readonly number[]): number {
  const mean = leftOut.reduce((sum, value) => sum + value, 0) / leftOut.length
  const squares = leftOut.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return ((leftOut.length - 1) / leftOut.length) * squares
}

/**
 * The interval of a value by what it is without each cluster in turn, cut to `range`, what it can be; null with fewer than
 * two clusters or where all of them say the same (docs/methods.md 4).
 */
export function toJackknifeInterval(
  estimate: number,
  leftOut: readonly number[],
  range: Interval,
  studentT: StudentT,
): Interval | null {
  if (leftOut.length < 2) return null
  const spread = Math.sqrt(toJackknifeVariance(leftOut))
  if (spread < SPREAD_MIN * (range.high - range.low)) return null
  return toInterval(estimate, studentT.criticalValue(leftOut.length - 1) * spread, range)
}
