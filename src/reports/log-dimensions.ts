import * as v from 'valibot'
import { PAGE_TYPES } from '../domain/enums.ts'
import { type Sql, sql, texts } from '../lake/sql.ts'
import { CalendarDay, Month, Timestamp, Week } from '../schemas/values.ts'
import type { Column } from './contract.ts'

/** A dimension or metric of a log report. `sql` is for the outermost SELECT, over the groups. */
export interface LogColumn extends Column {
  /** What rows are ordered by. */
  readonly order: Sql
}

/** A column of the groups that has the field's name. */
export function inGroups<const S extends v.GenericSchema>(type: S, column: Sql) {
  return { type, sql: column, order: column }
}

/** The time of a group, in the zone of the request. */
export const TIME_DIMENSIONS = {
  date: { type: CalendarDay, sql: sql`strftime(date_key, '%Y-%m-%d') AS date`, order: sql`date_key` },
  week: { type: Week, sql: sql`strftime(week_key, '%G-W%V') AS week`, order: sql`week_key` },
  month: { type: Month, sql: sql`strftime(month_key, '%Y-%m') AS month`, order: sql`month_key` },
  hour: {
    type: v.pipe(v.string(), v.description('`YYYY-MM-DDTHH:00` in the requested zone.')),
    sql: sql`strftime(make_timestamp(hour_key * 3_600_000_000), '%Y-%m-%dT%H:00') AS hour`,
    order: sql`hour_key`,
  },
}

/** Of groups by `page_type_no`. */
const pageType = sql`(${texts(PAGE_TYPES)})[page_type_no]`
export const PAGE_TYPE = { type: v.picklist(PAGE_TYPES), sql: sql`${pageType} AS page_type`, order: pageType }

/** Seconds since 1970 as the API has timestamps (contract/api 5.9). */
export const LAST_VISIT = {
  type: Timestamp,
  sql: sql`strftime(make_timestamp(last_time * 1_000_000), '%Y-%m-%dT%H:%M:%SZ') AS last_visit`,
  order: sql`last_time`,
}

/** What filters may say of a requested path (contract/api 4.3), over the relation `requested`. */
export const PATH_FILTER_FIELDS = {
  path: { values: 'text', column: sql`path` },
  page_type: { values: PAGE_TYPES, column: sql`page_type` },
} as const
