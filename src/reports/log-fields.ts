import { join, type Sql, sql } from '../lake/sql.ts'

/** How a field of the rows is compared and shown: SQL over the groups. */
export interface LogField {
  readonly order: Sql
  readonly shown: Sql
}
export type LogFields = Readonly<Record<string, LogField>>

/** What of a log report's request decides the columns of its rows and their order. */
export interface LogColumns {
  readonly group_by: readonly string[]
  readonly metrics: readonly string[]
  readonly sort?: { readonly field: string; readonly dir: 'asc' | 'desc' } | undefined
}

/** A column of the groups that has the field's name. */
export function toField(column: Sql): LogField {
  return { order: column, shown: column }
}

/** The date and hour of a group, as every log report shows them. */
export const TIME_FIELDS: LogFields = {
  date: { order: sql`date_key`, shown: sql`strftime(date_key, '%Y-%m-%d') AS date` },
  hour: {
    order: sql`hour_key`,
    shown: sql`strftime(make_timestamp(hour_key * 3_600_000_000), '%Y-%m-%dT%H:00') AS hour`,
  },
}

/** Seconds since 1970 as the API has timestamps (contract/api 5.9). */
export const LAST_VISIT: LogField = {
  order: sql`last_time`,
  shown: sql`strftime(make_timestamp(last_time * 1_000_000), '%Y-%m-%dT%H:%M:%SZ') AS last_visit`,
}

/** The columns of the answer, in the request's order. */
export function toShown({ group_by, metrics }: LogColumns, fields: LogFields): Sql {
  return join(
    [...group_by, ...metrics].map((name) => getField(fields, name).shown),
    sql`, `,
  )
}

/**
 * contract/api 5.5: `sort` first; then date and hour ascending, the first metric descending, the other group fields
 * ascending.
 */
export function toLogOrder({ group_by, metrics, sort }: LogColumns, fields: LogFields): Sql {
  const orderOf = (name: string): Sql => getField(fields, name).order
  const direction = sort?.dir === 'asc' ? sql`ASC NULLS LAST` : sql`DESC NULLS LAST`
  return join(
    [
      ...(sort === undefined ? [] : [sql`${orderOf(sort.field)} ${direction}`]),
      ...TIMES.filter((name) => group_by.includes(name)).map(orderOf),
      ...metrics.slice(0, 1).map((name) => sql`${orderOf(name)} DESC NULLS LAST`),
      ...group_by.filter((name) => !TIMES.includes(name)).map(orderOf),
    ],
    sql`, `,
  )
}

const TIMES: readonly string[] = ['date', 'hour']

function getField(fields: LogFields, name: string): LogField {
  const field = fields[name]
  if (!field) throw new Error(`the report has no field ${name}`)
  return field
}
