/** A variance and the degrees of freedom that it was estimated with. */
export interface Estimated {
  readonly variance: number
  readonly degrees: number
}

/**
 * Welch's and Satterthwaite's degrees of freedom of a difference of two independent values, a sum of whose variances is its
 * variance (docs/methods.md 8). Variances of 0 on both sides give the sum of the degrees.
 */
export function toWelchDegrees(first: Estimated, second: Estimated): number {
  const variance = first.variance + second.variance
  if (variance === 0) return first.degrees + second.degrees
  return variance ** 2 / (first.variance ** 2 / first.degrees + second.variance ** 2 / second.degrees)
}
