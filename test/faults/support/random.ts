/** Numbers from 0 to 1 that depend on the seed alone (a linear congruential generator, its high bits). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return ((state >>> 8) & 0xffffff) / 0x1000000
  }
}

/** The values in an order that depends on the generator alone. */
export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
