/** The only source of time below `cli`: milliseconds since 1970, UTC. Tests hold it still or move it. */
export interface Clock {
  now(): number
}

/** The machine's time. */
export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601, UTC, with milliseconds: `2026-11-20T07:03:09.120Z`. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
