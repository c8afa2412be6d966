import { PAGE_TYPES, type PageType } from '../domain/enums.ts'
import { empty, integer, join, type Sql, sql, texts } from '../lake/sql.ts'
import { PATH_FILTER_FIELDS } from './log-dimensions.ts'
import type { Dictionary, LogFilter } from './log-filter.ts'

/** What filters may say of a requested path (contract/api 12.5). Its type is the one that its dictionary has (contract/api 5.13). */
export const PATH_DICTIONARY: Dictionary = {
  name: sql`requested`,
  fields: PATH_FILTER_FIELDS,
}

/** Gives groups by `path_no` their `path`. */
export const PATH_NAMES = sql`JOIN (SELECT path_no, path FROM requested) AS path_names USING (path_no)`

/** The place of a type in its column, from 1. */
export function pageTypeNo(type: PageType): number {
  return PAGE_TYPES.indexOf(type) + 1
}

/**
 * The CTE `requested`, followed by a comma: paths with number, text and type. Without `paths`, the types alone, for rows
 * that have no path.
 */
export function toRequested(paths: Sql | undefined, part: LogFilter['parts'][number] | undefined): Sql {
  const { restrictions = [], truths = [] } = part ?? {}
  const types = texts(PAGE_TYPES)
  const entries = paths
    ? sql`SELECT path_no, path, page_type_no, (${types})[page_type_no] AS page_type FROM ${paths}`
    : sql`SELECT unnest(range(1, ${integer(PAGE_TYPES.length + 1)}))::SMALLINT AS page_type_no, unnest(${types}) AS page_type`
  const where = restrictions.length > 0 ? sql`WHERE ${join(restrictions, sql` AND `)}` : empty
  const columns = join([sql`*`, ...truths], sql`, `)
  return sql`
  requested AS (
    SELECT ${columns}
    FROM (${entries})
    ${where}
  ),`
}
