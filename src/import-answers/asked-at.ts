import { parseTimestamp } from '../domain/scan-time.ts'

/** Past this a number of a payload counts milliseconds, not seconds: as seconds it would be the year 5138. */
const SECONDS_MAX = 100_000_000_000

/**
 * A payload's time (seconds or milliseconds since 1970, ISO 8601, `2026-09-01 08:00:00 UTC`) as ISO 8601 in UTC.
 * Undefined when it is no time; then the record's day must come from elsewhere.
 */
export function toAskedAt(value: unknown): string | undefined {
  const ms = typeof value === 'number' ? toMs(value) : typeof value === 'string' ? parseTimestamp(value) : null
  return ms === null ? undefined : new Date(ms).toISOString()
}

function toMs(number: number): number | null {
  const ms = number < SECONDS_MAX ? number * 1_000 : number
  return ms > 0 && ms < SECONDS_MAX * 1_000 ? Math.trunc(ms) : null
}
