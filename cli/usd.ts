/** Micro-dollars as people read them, `12.34`; less than a cent with as many digits as it takes, `0.0025`. */
export function toUsd(micros: number): string {
  return (micros / 1_000_000).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: micros < 100_000 ? 4 : 2,
  })
}
