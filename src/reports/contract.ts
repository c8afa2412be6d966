import * as v from 'valibot'
import type { Sql } from '../lake/sql.ts'
import { pageInfo, paged } from '../schemas/page.ts'
import { CalendarDay, Text } from '../schemas/values.ts'
import type { FilterSchema } from './filter-schema.ts'

type Schema = v.GenericSchema

/** A dimension or a metric, under its name: its values, with the description that the document shows, and its SQL. */
export interface Column {
  readonly type: Schema
  /** What stands in a SELECT for it: expressions that have their names. */
  readonly sql: Sql
}
export type Columns = Readonly<Record<string, Column>>

/**
 * All that is said of a report in one place. The types of its request and rows, its endpoint, what the OpenAPI document
 * shows of it and the columns of its SQL follow from it.
 */
export interface ReportContract<N extends string, Q extends Schema, I extends Schema, R extends Schema> {
  /** Names the report in the program and in cursors. */
  readonly name: N
  /** OpenAPI's `operationId`. */
  readonly operation: string
  readonly tag: 'Reports' | 'Answers'
  readonly path: `/v1/${string}`
  readonly summary: string
  readonly description: string
  readonly request: Q
  readonly info: I
  readonly row: R
  /** The name that the document has for the row. */
  readonly rowName: string
  /** Shapes inside the request and the row that the document shows under names of their own. */
  readonly filter?: FilterSchema
  readonly requestParts?: Readonly<Record<string, Schema>>
  readonly rowParts?: Readonly<Record<string, Schema>>
  /** Names that the document has for lists of values of this report alone. */
  readonly enumerations?: Readonly<Record<string, readonly string[]>>
  /** Shown in the document. */
  readonly example: {
    readonly request: ReadonlyDeep<v.InferInput<Q>>
    readonly response: ReadonlyDeep<{ info: v.InferInput<I>; data: v.InferInput<R>[] }>
  }
}

/** Gives the contract its types; it comes back as it is. */
export function defineContract<N extends string, Q extends Schema, I extends Schema, R extends Schema>(
  contract: ReportContract<N, Q, I, R>,
): ReportContract<N, Q, I, R> {
  return contract
}

/** What a report takes, checked and with its defaults. */
export type RequestOf<C extends { readonly request: Schema }> = ReadonlyDeep<v.InferOutput<C['request']>>
/** A row that a report gives. */
export type RowOf<C extends { readonly row: Schema }> = v.InferOutput<C['row']>

export type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T

/** `info` of a report whose days are of UTC. */
export const ReportInfo = v.object({ site_id: Text, start_date: CalendarDay, end_date: CalendarDay, ...pageInfo })
/** `info` of a report whose days are of the zone that the request names. */
export const LogReportInfo = v.object({
  site_id: Text,
  start_date: CalendarDay,
  end_date: CalendarDay,
  timezone: Text,
  ...pageInfo,
})

/** The response of a report. */
export function toResponse({ info, row }: { readonly info: Schema; readonly row: Schema }) {
  return paged(info, row)
}

/** The columns' names, in their order. */
export function namesOf<const C extends object>(columns: C): readonly (keyof C & string)[] {
  return Object.keys(columns) as (keyof C & string)[]
}

/** What a row always has of the columns. */
export function always<C extends Columns>(columns: C): { [N in keyof C]: C[N]['type'] } {
  const types: Partial<{ [N in keyof C]: C[N]['type'] }> = {}
  for (const name of namesOf(columns)) types[name] = columns[name]?.type
  return types as { [N in keyof C]: C[N]['type'] }
}

/** What a row has of the columns when they are asked for. */
export function whenAsked<C extends Columns>(
  columns: C,
): { [N in keyof C]: v.OptionalSchema<C[N]['type'], undefined> } {
  return v.partial(v.object(always(columns))).entries
}

/** The row, when it is what the contract says. Throws Error for any other: that is a fault of the report's SQL. */
export function toTyped<R extends Schema>(
  { name, row: schema }: { name: string; row: R },
  row: unknown,
): v.InferInput<R> {
  if (v.is(schema, row)) return row
  const [issue] = v.safeParse(schema, row).issues ?? []
  throw new Error(`the report ${name} made a row that its contract doesn't have: ${issue?.message}`)
}
