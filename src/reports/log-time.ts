import { listZoneOffsets } from '../domain/zone-offsets.ts'
import { ApiError } from '../errors.ts'
import { day, integer, join, type Sql, sql } from '../lake/sql.ts'
import { dayNumber, dayStartMs, shiftDay } from '../domain/day.ts'

/** What of a log report's request decides which time it covers. Days are of the zone. */
export interface LogRange {
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
}

/**
 * How rows of quarters of an hour, with `day` and `quarter` of UTC, are told apart by a zone's days and hours
 * (contract/api 5.10).
 */
export interface LogTime {
  /** The predicate that keeps the rows of the range. */
  readonly inRange: Sql
  /** SQL of a row's local day, a DATE, and of its local hour, counted since 1970: the hour that a clock shows twice is one. */
  readonly date: Sql
  readonly hour: Sql
}

/** Columns for the times that a request groups by: `date_key`, `week_key`, `month_key` (first days) and `hour_key`. */
export function toTimeKeys(groupBy: readonly string[], { date, hour }: LogTime): Sql[] {
  const keys: readonly [string, Sql][] = [
    ['date', sql`${date} AS date_key`],
    ['week', sql`date_trunc('week', ${date})::DATE AS week_key`],
    ['month', sql`date_trunc('month', ${date})::DATE AS month_key`],
    ['hour', sql`${hour} AS hour_key`],
  ]
  return keys.flatMap(([name, key]) => (groupBy.includes(name) ? [key] : []))
}

/** UTC days before and after a zone's days that may hold rows of them: zones are at most 14 hours from UTC. */
export const ZONE_DAYS = 1

/** Quarter of an hour since 1970 in which a row lies. */
export const SLOT = sql`((day - DATE '1970-01-01') * 96 + quarter)::INTEGER`

/** Throws ApiError `invalid_request` for a zone that this runtime doesn't know. */
export function toLogTime(range: LogRange): LogTime {
  const { start_date, end_date } = range
  if (isUtcName(range.timezone)) {
    return { inRange: between(start_date, end_date), date: sql`day`, hour: sql`(${SLOT} // 4)` }
  }
  const local = toLocalSlot(range)
  const isWithin = sql`${local} BETWEEN ${integer(toSlot(start_date))} AND ${integer(toSlot(shiftDay(end_date, 1)) - 1)}`
  return {
    inRange: sql`${between(shiftDay(start_date, -ZONE_DAYS), shiftDay(end_date, ZONE_DAYS))} AND ${isWithin}`,
    date: sql`(DATE '1970-01-01' + ${local} // 96)`,
    hour: sql`(${local} // 4)`,
  }
}

/** Whether the zone's days are those of the rows. */
export function isUtcName(timezone: string): boolean {
  return timezone === 'UTC' || timezone === 'Etc/UTC'
}

function between(first: string, last: string): Sql {
  return sql`day BETWEEN ${day(first)} AND ${day(last)}`
}

/** The quarter of an hour that a clock of the zone shows, counted since 1970: the row's own, moved by the zone's offset. */
function toLocalSlot(range: LogRange): Sql {
  const fromMs = dayStartMs(shiftDay(range.start_date, -ZONE_DAYS))
  const toMs = dayStartMs(shiftDay(range.end_date, ZONE_DAYS + 1))
  const [first, ...changes] = findOffsets(range.timezone, fromMs, toMs).map(({ startMs, offsetMs }) => ({
    start: integer(Math.ceil(startMs / SLOT_MS)),
    offset: integer(Math.round(offsetMs / SLOT_MS)),
  }))
  if (!first) throw new Error('a zone has an offset at any time')
  if (changes.length === 0) return sql`(${SLOT} + ${first.offset})`
  const cases = changes.toReversed().map(({ start, offset }) => sql`WHEN ${SLOT} >= ${start} THEN ${offset}`)
  return sql`(${SLOT} + CASE ${join(cases, sql` `)} ELSE ${first.offset} END)`
}

const SLOT_MS = 900_000

function findOffsets(timezone: string, fromMs: number, toMs: number) {
  try {
    return listZoneOffsets(timezone, fromMs, toMs)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = 'There is no such time zone. Use an IANA name such as Europe/Berlin.'
    throw new ApiError('invalid_request', 'The time zone is unknown.', { details: [{ path: 'timezone', message }] })
  }
}

function toSlot(date: string): number {
  return dayNumber(date) * 96
}
