import { boolean, join, type Sql, sql, text, texts } from '../lake/sql.ts'
import type { Lake } from '../lake/lake.ts'
import type { Condition, Filter } from './request.ts'

/** How a filter's field is compared: `column` holds its text (or truth), `id` a second text that `is` and `in` take too. */
export interface FilterField {
  readonly column: Sql
  readonly id?: Sql
  /** Where there is nothing to compare the column is empty, and only the `not_` operators hold. */
  readonly mayBeEmpty?: boolean
}
export type FilterFields = Readonly<Record<string, FilterField>>

const SEPARATORS = { and: sql` AND `, or: sql` OR ` }

/**
 * The predicate of a filter (contract/api 4.1). Columns must not be NULL, so that each `not_` operator is the exact
 * complement. A field without an entry is a fault of the program: the request's schema knows the same fields.
 */
export function toPredicate(filter: Filter, fields: FilterFields): Sql {
  if ('and' in filter) return combine(filter.and, SEPARATORS.and, fields)
  if ('or' in filter) return combine(filter.or, SEPARATORS.or, fields)
  if ('not' in filter) return sql`NOT ${toPredicate(filter.not, fields)}`
  const field = fields[filter.field]
  if (!field) throw new Error(`no column for the filter field ${filter.field}`)
  return sql`(${compare(filter, field)})`
}

function combine(members: readonly Filter[], separator: Sql, fields: FilterFields): Sql {
  return sql`(${join(
    members.map((member) => toPredicate(member, fields)),
    separator,
  )})`
}

function compare(condition: Condition, { column, id, mayBeEmpty = false }: FilterField): Sql {
  if (isListCondition(condition)) {
    const values = texts(condition.value)
    // Not `= ANY`: DuckDB makes a join of each, and planning some dozens of them takes minutes.
    const found = id
      ? sql`list_contains(${values}, ${column}) OR list_contains(${values}, ${id})`
      : sql`list_contains(${values}, ${column})`
    return condition.op === 'in' ? found : sql`NOT (${found})`
  }
  const { op, value } = condition
  if (typeof value === 'boolean') {
    return op === 'is' ? sql`${column} = ${boolean(value)}` : sql`${column} <> ${boolean(value)}`
  }
  const operand = text(value)
  switch (op) {
    case 'is':
      return id ? sql`${column} = ${operand} OR ${id} = ${operand}` : sql`${column} = ${operand}`
    case 'not_is':
      return id ? sql`${column} <> ${operand} AND ${id} <> ${operand}` : sql`${column} <> ${operand}`
    case 'contains':
      return sql`contains(${column}, ${operand})`
    case 'not_contains':
      return sql`NOT contains(${column}, ${operand})`
    case 'contains_case_insensitive':
      return sql`contains(lower(${column}), lower(${operand}))`
    case 'not_contains_case_insensitive':
      return sql`NOT contains(lower(${column}), lower(${operand}))`
    case 'starts_with':
      return sql`starts_with(${column}, ${operand})`
    case 'ends_with':
      return sql`suffix(${column}, ${operand})`
    case 'matches':
      return mayBeEmpty
        ? sql`${column} <> '' AND regexp_matches(${column}, ${operand})`
        : sql`regexp_matches(${column}, ${operand})`
  }
}

function isListCondition(condition: Condition): condition is Extract<Condition, { value: readonly string[] }> {
  return condition.op === 'in' || condition.op === 'not_in'
}

/** A filter in the two parts that contract/api 4.5 tells apart: `ofThose` names nothing but `fields`, `others` has the rest. */
export function splitByFields(
  filter: Filter | undefined,
  fields: readonly string[],
): { ofThose: Filter | undefined; others: Filter | undefined } {
  if (!filter) return { ofThose: undefined, others: undefined }
  const members = 'and' in filter ? filter.and : [filter]
  const isOfThose = (member: Filter): boolean => namesOnly(member, fields)
  const together = (some: readonly Filter[]): Filter | undefined => (some.length === 0 ? undefined : { and: some })
  return {
    ofThose: together(members.filter(isOfThose)),
    others: together(members.filter((member) => !isOfThose(member))),
  }
}

/** True when every condition of the filter names one of `fields`. */
export function namesOnly(filter: Filter, fields: readonly string[]): boolean {
  return listConditions(filter).every(({ field }) => fields.includes(field))
}

/** True when some condition of the filter names `field`. */
export function mentionsField(filter: Filter | undefined, field: string): boolean {
  return filter !== undefined && listConditions(filter).some((condition) => condition.field === field)
}

function listConditions(filter: Filter): Condition[] {
  if ('and' in filter) return filter.and.flatMap(listConditions)
  if ('or' in filter) return filter.or.flatMap(listConditions)
  if ('not' in filter) return listConditions(filter.not)
  return [filter]
}

/** Why RE2, as DuckDB has it, refuses a pattern of `matches`; undefined for a valid one. Throws what `Lake.select` throws. */
export async function findPatternFault(pattern: string, lake: Lake): Promise<string | undefined> {
  try {
    await lake.select(sql`SELECT regexp_matches('', ${text(pattern)}) AS valid`)
    return undefined
  } catch (error) {
    if (!(error instanceof Error) || !REFUSED.test(error.message)) throw error
    return error.message.replace(REFUSED, '')
  }
}

const REFUSED = /^Invalid Input Error:\s*/
