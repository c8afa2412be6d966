import { findCriticalValue } from './student-t.ts'
import type { OracleAnswer } from './truth.ts'

/** How sure numbers of a group are, counted out (contract/api 5.15). */

const Z = 1.959963984540054

export interface Ends {
  readonly low: number | null
  readonly high: number | null
}
export const NO_ENDS: Ends = { low: null, high: null }

/** Answers of a group by cluster: by prompt, or by ISO week and engine where the group has one prompt. */
export function toClusters(answers: readonly OracleAnswer[], groupBy: readonly string[]): OracleAnswer[][] {
  const clusters = new Map<string, OracleAnswer[]>()
  for (const answer of answers) {
    const key = groupBy.includes('prompt') ? `${toIsoWeek(answer.day)} ${answer.platform}` : answer.prompt.id
    clusters.set(key, [...(clusters.get(key) ?? []), answer])
  }
  return [...clusters.values()]
}

/** The week's Thursday says which year's it is. */
function toIsoWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const fromMonday = (date.getUTCDay() + 6) % 7
  date.setUTCDate(date.getUTCDate() - fromMonday + 3)
  const year = date.getUTCFullYear()
  const week = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 / 7) + 1
  return `${year}-${week}`
}

/** The design effect of what `isHit` counts; null where it counts all or none, or there are fewer than two clusters. */
export function findDesignEffect(
  clusters: readonly (readonly OracleAnswer[])[],
  isHit: (answer: OracleAnswer) => boolean,
): number | null {
  const answers = clusters.flat()
  const p = answers.filter(isHit).length / answers.length
  if (clusters.length < 2 || p === 0 || p === 1) return null
  let squares = 0
  for (const cluster of clusters) squares += (cluster.filter(isHit).length - p * cluster.length) ** 2
  const variance = ((clusters.length / (clusters.length - 1)) * squares) / answers.length ** 2
  const independent = (p * (1 - p)) / answers.length
  return Math.max(1, variance / independent)
}

/** How many independent answers say as much: `lent` are design effects to borrow where this one has none. */
export function findEffective(
  clusters: readonly (readonly OracleAnswer[])[],
  own: number | null,
  lent: readonly (number | null)[],
): number | null {
  const count = clusters.length
  if (count < 2) return null
  const known = lent.filter((effect) => effect !== null).sort((a, b) => a - b)
  const middle = known.length / 2
  const usual = Number.isInteger(middle) ? (known[middle - 1]! + known[middle]!) / 2 : known[Math.floor(middle)]!
  if (own === null && known.length === 0) return count
  return (clusters.flat().length / (own ?? usual)) * (Z / findCriticalValue(count - 1)) ** 2
}

/** The rates whose distance from `p` is z standard errors of their own: the roots of a quadratic. */
export function findWilson(p: number, answers: number | null): Ends {
  if (answers === null) return NO_ENDS
  const [a, b, c] = [1 + Z ** 2 / answers, -(2 * p + Z ** 2 / answers), p ** 2]
  const root = Math.sqrt(Math.max(0, b ** 2 - 4 * a * c))
  return { low: p === 0 ? 0 : (-b - root) / (2 * a), high: p === 1 ? 1 : (-b + root) / (2 * a) }
}

/** How far a value computed without each cluster in turn scatters. */
export function findSpread(without: readonly number[]): number {
  const count = without.length
  const mean = without.reduce((sum, value) => sum + value, 0) / count
  return Math.sqrt(((count - 1) / count) * without.reduce((sum, value) => sum + (value - mean) ** 2, 0))
}

/** A jackknife's interval within 0 and `most`. */
export function findJackknife(value: number, without: readonly number[], most: number): Ends {
  if (without.length < 2) return NO_ENDS
  const spread = findSpread(without)
  if (spread < 1e-9 * most) return NO_ENDS
  const reach = findCriticalValue(without.length - 1) * spread
  return { low: Math.max(0, value - reach), high: Math.min(most, value + reach) }
}
