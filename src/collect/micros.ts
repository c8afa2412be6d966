/** US dollars as whole micro-dollars, in which everything is added up. */
export function toMicros(dollars: number): number {
  return Math.round(dollars * 1_000_000)
}

/** Micro-dollars as US dollars, for people and for `cost_usd`. */
export function toDollars(micros: number): number {
  return micros / 1_000_000
}
