import { join, type Sql, sql } from '../lake/sql.ts'
import { TIMES } from './request.ts'
import type { LogColumn } from './log-dimensions.ts'

type LogFields = Readonly<Record<string, LogColumn>>

/** What of a log report's request decides the columns of its rows and their order. */
export interface LogColumns {
  readonly group_by: readonly string[]
  readonly metrics: readonly string[]
  readonly sort?: { readonly field: string; readonly dir: 'asc' | 'desc' } | undefined
}

/** The columns of the answer, in the request's order. */
export function toShown({ group_by, metrics }: LogColumns, fields: LogFields): Sql {
  return join(
    [...group_by, ...metrics].map((name) => getField(fields, name).sql),
    sql`, `,
  )
}

/**
 * contract/api 5.5: `sort` first; then times ascending, the first metric descending, the other group fields
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

function getField(fields: LogFields, name: string): LogColumn {
  const field = fields[name]
  if (!field) throw new Error(`the report has no field ${name}`)
  return field
}
