import type { CardCadence } from '../domain/action-card.ts'
import { monthOf, toDay, weekOf } from '../domain/day.ts'

/** The period of an ongoing card that contains the moment, in UTC: `2026-W47` (ISO 8601 week) or `2026-11`. */
export function toPeriod(cadence: CardCadence, nowMs: number): string {
  const day = toDay(nowMs)
  return cadence === 'weekly' ? weekOf(day) : monthOf(day)
}
