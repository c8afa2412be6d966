import { DAY_COUNT, FIRST_DAY, LOG_DAY_COUNT } from '../truths.ts'

const DAY_MS = 86_400_000

/** The UTC day with this number, `YYYY-MM-DD`; 0 is the first day of the demo. */
export function dateOf(day: number): string {
  return new Date(Date.parse(FIRST_DAY) + day * DAY_MS).toISOString().slice(0, 10)
}

/** The same for the days of the access log, of which 0 is the first. */
export function dateOfLog(day: number): string {
  return dateOf(DAY_COUNT - LOG_DAY_COUNT + day)
}
