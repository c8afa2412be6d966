import type { CardCount } from '../domain/action-card.ts'

/** A difference is significant at 95 %: as large a one would come by chance in 5 % of the cases at most. */
export const SIGNIFICANCE_LEVEL = 0.05

/** Smallest expected count for which the normal approximation holds; below it the exact test is used. */
const EXPECTED_COUNT_MIN = 5

/**
 * Whether the first share is significantly higher than the second (docs/actions.md). `comparisons` is how many such
 * questions are asked together: each must then be the clearer (Bonferroni), so that asking often makes no findings.
 */
export function isSignificantlyHigher(first: CardCount, second: CardCount, comparisons = 1): boolean {
  if (first.total === 0 || second.total === 0) return false
  if (first.hits / first.total <= second.hits / second.total) return false
  return toPValue(first, second) < SIGNIFICANCE_LEVEL / Math.max(1, comparisons)
}

/**
 * Whether the first count is significantly higher than the second where both are of the same answers: two brands, two
 * sources, two tones. Such shares aren't independent, an answer that cites one page has less room for another, so the
 * paired form of the test is asked, and in its least favourable case: no answer counts for both.
 */
export function isSignificantlyMore(first: number, second: number, comparisons = 1): boolean {
  return first > second && toPairedPValue(first, second) < SIGNIFICANCE_LEVEL / Math.max(1, comparisons)
}

/** The two-sided p-value of two paired counts being the same: as uneven a split of so many fair coins, or a more uneven one. */
export function toPairedPValue(first: number, second: number): number {
  const coins = first + second
  const most = Math.max(first, second)
  const half = Math.ceil(coins / 2)
  let upper = 0
  let tail = 0
  for (let x = half, weight = 1; x <= coins; weight *= (coins - x) / (x + 1), x++) {
    upper += weight
    if (x >= most) tail += weight
  }
  // The middle of an even number of coins belongs to both halves.
  const all = coins % 2 === 0 ? 2 * upper - 1 : 2 * upper
  return Math.min(1, (2 * tail) / all)
}

/**
 * The two-sided p-value of two shares being the same: the pooled two-proportion z-test where all four expected counts
 * are at least 5, Fisher's exact test otherwise. 1 where a side is empty.
 */
export function toPValue(first: CardCount, second: CardCount): number {
  const total = first.total + second.total
  const hits = first.hits + second.hits
  if (first.total === 0 || second.total === 0) return 1
  const leastExpected = (Math.min(first.total, second.total) * Math.min(hits, total - hits)) / total
  return leastExpected >= EXPECTED_COUNT_MIN ? toPooledPValue(first, second) : toExactPValue(first, second)
}

function toPooledPValue(first: CardCount, second: CardCount): number {
  const pooled = (first.hits + second.hits) / (first.total + second.total)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / first.total + 1 / second.total))
  const z = (first.hits / first.total - second.hits / second.total) / error
  return Math.min(1, 2 * upperTail(Math.abs(z)))
}

/** Where the series needs too many terms and the continued fraction few. */
const TAIL_FROM = 3

/** Share of the standard normal distribution above `z`, for `z` of 0 and more. */
function upperTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < TAIL_FROM) {
    let term = z
    let sum = z
    for (let odd = 3; term > 1e-17; odd += 2) {
      term *= (z * z) / odd
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = z
  for (let depth = 60; depth > 0; depth--) fraction = z + depth / fraction
  return density / fraction
}

/** Rounding must not tell apart tables that are equally likely. */
const TIE_TOLERANCE = 1 + 1e-9

/**
 * Fisher's exact test: of all tables with these sums, those that are no likelier than the one found. Weights are
 * relative to the likeliest table, so that no factorial is needed.
 */
function toExactPValue(first: CardCount, second: CardCount): number {
  const hits = first.hits + second.hits
  const total = first.total + second.total
  const low = Math.max(0, hits - second.total)
  const high = Math.min(hits, first.total)
  const mode = Math.min(high, Math.max(low, Math.floor(((first.total + 1) * (hits + 1)) / (total + 2))))
  /** How much likelier `x + 1` hits in the first are than `x`. */
  const ratio = (x: number): number => ((hits - x) * (first.total - x)) / ((x + 1) * (second.total - hits + x + 1))
  const weights = new Map([[mode, 1]])
  for (let x = mode, weight = 1; x < high; x++) weights.set(x + 1, (weight *= ratio(x)))
  for (let x = mode, weight = 1; x > low; x--) weights.set(x - 1, (weight /= ratio(x - 1)))
  const found = (weights.get(first.hits) ?? 0) * TIE_TOLERANCE
  let all = 0
  let rare = 0
  for (const weight of weights.values()) {
    all += weight
    if (weight <= found) rare += weight
  }
  return rare / all
}
