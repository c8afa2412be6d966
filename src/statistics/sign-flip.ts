/** Sums this much nearer to 0 than the one found, in parts of the sum of sizes, count as equal: rounding must not tell them apart. */
const TIE_TOLERANCE = 1e-9

/** More would take seconds: each part doubles the patterns. */
const PARTS_MAX = 20

/**
 * The exact p-value of a sum of independent parts being 0 where each part is as likely to be up as down: the share of all
 * patterns of signs whose sum is as far from 0 as the sum found (docs/methods.md 6). Throws Error for over 20 parts.
 */
export function toSignFlipPValue(parts: readonly number[]): number {
  if (parts.length > PARTS_MAX) throw new Error(`a sign flip of ${parts.length} parts would take too long`)
  const sizes = parts.reduce((sum, part) => sum + Math.abs(part), 0)
  const found = Math.abs(parts.reduce((sum, part) => sum + part, 0)) - TIE_TOLERANCE * sizes
  // Each part doubles the sums, so that no sum is made twice.
  const sums = new Float64Array(2 ** parts.length)
  for (const [place, part] of parts.entries()) {
    const made = 2 ** place
    for (let index = 0; index < made; index++) {
      const sum = sums[index] ?? 0
      sums[index] = sum + part
      sums[made + index] = sum - part
    }
  }
  return sums.filter((sum) => Math.abs(sum) >= found).length / sums.length
}
