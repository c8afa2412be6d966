import { join, type Sql, sql } from '../lake/sql.ts'
import { type FilterFields, namesOnly, toPredicate } from './filter.ts'
import type { Filter } from './request.ts'

/** A small relation that rows of logs are joined with by number, and the filter's fields that it can decide. */
export interface Dictionary {
  /** Names the relation. */
  readonly name: Sql
  readonly fields: FilterFields
}

/**
 * A filter taken apart, so that its conditions are decided once for each entry of a dictionary, not for each row.
 */
export interface LogFilter {
  /** For each dictionary: predicates that its entries must fulfil, and truths to add to it as columns. */
  readonly parts: readonly { readonly restrictions: readonly Sql[]; readonly truths: readonly Sql[] }[]
  /** What is left to decide for a row, by the truths of its entries. */
  readonly rows: readonly Sql[]
}

/** Each field of the filter must belong to one of the dictionaries. */
export function splitFilter(filter: Filter | undefined, dictionaries: readonly Dictionary[]): LogFilter {
  const parts = dictionaries.map(() => ({ restrictions: [] as Sql[], truths: [] as Sql[] }))
  const rows: Sql[] = []
  const findOwner = (member: Filter): number =>
    dictionaries.findIndex(({ fields }) => namesOnly(member, Object.keys(fields)))

  function toRowPredicate(member: Filter): Sql {
    const owner = findOwner(member)
    const part = parts[owner]
    const dictionary = dictionaries[owner]
    if (part && dictionary) {
      const column = truthName(part.truths.length)
      part.truths.push(sql`${toPredicate(member, dictionary.fields)} AS ${column}`)
      return sql`${dictionary.name}.${column}`
    }
    if ('and' in member) return sql`(${join(member.and.map(toRowPredicate), sql` AND `)})`
    if ('or' in member) return sql`(${join(member.or.map(toRowPredicate), sql` OR `)})`
    if ('not' in member) return sql`NOT ${toRowPredicate(member.not)}`
    throw new Error(`no dictionary has the filter field ${member.field}`)
  }

  for (const member of filter === undefined ? [] : 'and' in filter ? filter.and : [filter]) {
    const owner = findOwner(member)
    const dictionary = dictionaries[owner]
    if (dictionary) parts[owner]?.restrictions.push(toPredicate(member, dictionary.fields))
    else rows.push(toRowPredicate(member))
  }
  return { parts, rows }
}

/** `holds_7`; from a number of this program alone. */
function truthName(index: number): Sql {
  return sql.identifier(`holds_${index}`)
}
