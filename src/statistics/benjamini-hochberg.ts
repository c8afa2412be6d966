/**
 * Benjamini and Hochberg's q of each p, in the order of the p-values: the share of false findings one accepts by taking
 * this one and all with a smaller p (docs/methods.md 7). Equal p have one q.
 */
export function toQValues(pValues: readonly number[]): number[] {
  const order = [...pValues.keys()].sort((a, b) => (pValues[b] ?? 0) - (pValues[a] ?? 0))
  const qValues = [...pValues]
  let least = 1
  for (const [place, index] of order.entries()) {
    least = Math.min(least, ((pValues[index] ?? 1) * pValues.length) / (pValues.length - place))
    qValues[index] = least
  }
  return qValues
}
