/** Where a value lies with a confidence of 95 %. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** An interval around `estimate`, cut to what the value can be (docs/methods.md 4). */
export function toInterval(estimate: number, halfWidth: number, range: Interval): Interval {
  return { low: Math.max(range.low, estimate - halfWidth), high: Math.min(range.high, estimate + halfWidth) }
}
