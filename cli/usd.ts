/** Micro-dollars as people read them: `12.34`, and below ten cents `0.0025`. */
export function toUsd(micros: number): string {
  const digits = micros > 0 && micros < 100_000 ? 4 : 2
  return (micros / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
