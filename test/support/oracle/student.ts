/** The chance that Student's t with whole degrees of freedom stays within ±t: the finite sums (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function within(t: number, df: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(df))
  const cosine = Math.cos(angle)
  let sum = 0
  let term = df % 2 === 1 ? cosine : 1
  for (let k = df % 2 === 1 ? 3 : 2; k <= df; k += 2) {
    sum += term
    term *= ((k - 1) / k) * cosine ** 2
  }
  return df % 2 === 1 ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
}

/** The chance of a value as far from 0 as `t`. */
export function studentP(t: number, df: number): number {
  return 1 - within(t, df)
}

/** The value within which 95 % lie, by halving. */
export function studentCritical(df: number): number {
  let [low, high] = [0, 20]
  while (high - low > 1e-13) {
    const middle = (low + high) / 2
    if (within(middle, df) < 0.95) low = middle
    else high = middle
  }
  return (low + high) / 2
}
