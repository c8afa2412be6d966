const STEPS = 4_000
const known = new Map<number, number>()

/**
 * The 97.5 % quantile of Student's t with whole degrees of freedom, by adding up its density: with t = √f · tan θ that is
 * cos θ to the power of f − 1, from −90 to 90 degrees.
 */
export function findCriticalValue(degrees: number): number {
  const found = known.get(degrees) ?? bisect(degrees)
  known.set(degrees, found)
  return found
}

function bisect(degrees: number): number {
  const half = integrate(degrees, Math.PI / 2)
  let [low, high] = [0, Math.PI / 2]
  for (let round = 0; round < 100; round++) {
    const middle = (low + high) / 2
    if (integrate(degrees, middle) / half < 0.95) low = middle
    else high = middle
  }
  return Math.sqrt(degrees) * Math.tan(low)
}

/** Simpson's rule from 0 to `end`. */
function integrate(degrees: number, end: number): number {
  let sum = 0
  for (let step = 0; step <= STEPS; step++) {
    const weight = step === 0 || step === STEPS ? 1 : step % 2 === 1 ? 4 : 2
    sum += weight * Math.cos((end * step) / STEPS) ** (degrees - 1)
  }
  return (sum * end) / STEPS / 3
}
