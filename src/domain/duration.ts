/** `500ms`, `90s`, `15m`, `1h`, `7d` or `0` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text)
  return match === null ? undefined : Number(match[1]) * UNITS_MS[match[2] as Unit]
}

/** The duration in the largest unit that divides it. */
export function toDuration(ms: number): string {
  const units = Object.keys(UNITS_MS) as Unit[]
  const unit = units.findLast((unit) => ms % UNITS_MS[unit] === 0) ?? 'ms'
  return ms === 0 ? '0' : `${ms / UNITS_MS[unit]}${unit}`
}

const UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type Unit = keyof typeof UNITS_MS
