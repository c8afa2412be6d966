import { day, integer, type Sql, sql, text } from '../lake/sql.ts'
import { shiftDay } from './days.ts'

/** What of a log report's request decides which time it covers and how it is divided. */
export interface LogRange {
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
  readonly group_by: readonly string[]
}

/**
 * How rows of quarters of an hour are told apart by a zone's days and hours (decisions.md 5.10). Rows have `day` and
 * `quarter` of UTC.
 */
export interface LogTime {
  /** CTEs that the rest refers to, each followed by a comma. */
  readonly ctes: Sql
  /** Joins the rows with their days and hours, where they are asked for. */
  readonly join: Sql
  /** The predicate that keeps the rows of the range. */
  readonly inRange: Sql
  /** SQL of the row's local day, and of its local hour: the hour that a clock shows twice is one. */
  readonly date: Sql
  readonly hour: Sql
}

/** UTC days before and after a zone's days that may hold rows of them: zones are at most 14 hours from UTC. */
export const ZONE_DAYS = 1

/** Quarter of an hour since 1970 in which a row lies. */
export const SLOT = sql`((day - DATE '1970-01-01') * 96 + quarter)::INTEGER`

export function toLogTime(range: LogRange): LogTime {
  const { start_date, end_date, timezone, group_by } = range
  const isUtc = isUtcName(timezone)
  const days = sql`day BETWEEN ${day(start_date)} AND ${day(end_date)}`
  const withZone = sql`day BETWEEN ${day(shiftDay(start_date, -ZONE_DAYS))} AND ${day(shiftDay(end_date, ZONE_DAYS))}`
  const date = isUtc ? sql`day` : sql`local_date`
  if (group_by.includes('hour') || (!isUtc && group_by.includes('date'))) {
    return {
      ctes: toBuckets(range),
      join: sql`JOIN buckets ON slot = ${SLOT}`,
      inRange: withZone,
      date,
      hour: sql`local_hour`,
    }
  }
  if (isUtc) return { ctes: sql``, join: sql``, inRange: days, date, hour: sql`local_hour` }
  return {
    ctes: toBounds(range),
    join: sql``,
    inRange: sql`${withZone} AND ${SLOT} >= (SELECT first_slot FROM bounds) AND ${SLOT} <= (SELECT last_slot FROM bounds)`,
    date,
    hour: sql`local_hour`,
  }
}

/** Whether the zone's days are those of the rows. */
export function isUtcName(timezone: string): boolean {
  return timezone === 'UTC' || timezone === 'Etc/UTC'
}

/** Every slot of the range with its day and hour. */
function toBuckets({ start_date, end_date, timezone }: LogRange): Sql {
  return sql`
  buckets AS MATERIALIZED (
    SELECT slot, local_time::DATE AS local_date, date_trunc('hour', local_time) AS local_hour
    FROM (${toSlots(shiftDay(start_date, -ZONE_DAYS), shiftDay(end_date, ZONE_DAYS), timezone)})
    WHERE local_time::DATE BETWEEN ${day(start_date)} AND ${day(end_date)}
  ),`
}

/** The first and the last slot of the range. Where the clocks skip a whole day, that day has none. */
function toBounds({ start_date, end_date, timezone }: LogRange): Sql {
  const around = (date: string): Sql => toSlots(shiftDay(date, -2 * ZONE_DAYS), shiftDay(date, 2 * ZONE_DAYS), timezone)
  return sql`
  bounds AS MATERIALIZED (
    SELECT
      (SELECT min(slot) FROM (${around(start_date)}) WHERE local_time::DATE >= ${day(start_date)}) AS first_slot,
      (SELECT max(slot) FROM (${around(end_date)}) WHERE local_time::DATE <= ${day(end_date)}) AS last_slot
  ),`
}

/** The slots of some UTC days with the local time at which they begin. */
function toSlots(first: string, last: string, timezone: string): Sql {
  const slots = sql`range(${integer(toSlot(first))}, ${integer(toSlot(shiftDay(last, 1)))})`
  return sql`SELECT slot::INTEGER AS slot, timezone(${text(timezone)}, make_timestamptz(slot * 900_000_000)) AS local_time FROM ${slots} AS slots(slot)`
}

function toSlot(date: string): number {
  return (Date.parse(`${date}T00:00:00Z`) / 86_400_000) * 96
}
