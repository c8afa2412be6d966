import type { AnswerRecord } from './answer.ts'
import { dayNumber, isDay, toDay } from './day.ts'

/** When an answer was given: its UTC day, and the moment if it is known. */
export interface ScanTime {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Milliseconds since 1970, UTC. */
  readonly askedAtMs: number | null
}

/** Day and moment of a record that `parseNative` accepted: `date` decides the day, `asked_at` where it is absent (contract/imports 2.1). */
export function toScanTime(record: Pick<AnswerRecord, 'date' | 'asked_at'>): ScanTime {
  const askedAtMs = record.asked_at === undefined ? null : parseTimestamp(record.asked_at)
  if (record.date !== undefined) return { day: record.date, askedAtMs }
  if (askedAtMs === null) throw new Error('an accepted record has a date or a time of asking')
  return { day: toDay(askedAtMs), askedAtMs }
}

/**
 * Milliseconds since 1970 of an ISO 8601 date and time, null if it is none. Without a zone it is UTC; `Z`, `UTC` and
 * offsets (`+02:00`, `+0200`, `+02`) are read, a space may stand for the `T`; fractions beyond milliseconds are cut off.
 */
export function parseTimestamp(text: string): number | null {
  const found = TIMESTAMP.exec(text)
  if (!found) return null
  const [, day = '', hour = '', minute = '', second = '0', fraction = '', zone = ''] = found
  if (!isDay(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const offset = toOffsetMinutes(zone)
  if (offset === null) return null
  const minutes = (dayNumber(day) * 24 + Number(hour)) * 60 + Number(minute) - offset
  const ms = minutes * 60_000 + Number(second) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  // An offset at either end of the calendar leads to a day that can't be written with four digits.
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : null
}

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)? ?(Z|z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

function toOffsetMinutes(zone: string): number | null {
  if (zone === '' || (zone[0] !== '+' && zone[0] !== '-')) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2)) * (zone.length > 3 ? 1 : 0)
  if (hours > 23 || minutes > 59) return null
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
