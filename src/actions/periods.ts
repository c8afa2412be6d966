import type { CardCadence } from '../domain/action-card.ts'

const DAY_MS = 86_400_000

/** The period of an ongoing card that contains the moment, in UTC: `2026-W47` (ISO 8601 week) or `2026-11`. */
export function toPeriod(cadence: CardCadence, nowMs: number): string {
  return cadence === 'weekly' ? toIsoWeek(nowMs) : new Date(nowMs).toISOString().slice(0, 7)
}

/** A week belongs to the year of its Thursday. */
function toIsoWeek(nowMs: number): string {
  const weekday = (new Date(nowMs).getUTCDay() + 6) % 7
  const thursday = new Date(nowMs + (3 - weekday) * DAY_MS)
  const year = thursday.getUTCFullYear()
  const dayOfYear = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS)
  return `${year}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}
