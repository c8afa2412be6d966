import { empty, integer, join, type Sql, sql } from '../lake/sql.ts'
import { LOG_BITSTRING_BYTES_MAX } from '../limits.ts'
import { dayCount } from './days.ts'
import type { LogColumns } from './log-fields.ts'
import type { PageBounds } from './run.ts'

/** The groups of a log report over its CTE `rows`. */
export interface GroupedRows {
  readonly request: LogColumns & { readonly start_date: string; readonly end_date: string }
  /** Columns of `rows` by which fields other than time, path and page type are grouped. */
  readonly keys: Readonly<Record<string, Sql>>
  /** Metrics, as aggregates with their names. */
  readonly sums: readonly Sql[]
  /** No path has a higher number. */
  readonly pathNoMax: number
  /** There may be a row for each path and quarter of an hour. */
  readonly isLarge: boolean
}

/** CTEs that end with `grouped`, with a row for each group; the number of all groups; how many of `grouped` to pass over. */
export interface Groups {
  readonly ctes: Sql
  readonly total: Sql
  readonly offset: Sql
}

export function toGroups(rows: GroupedRows, page: PageBounds): Groups {
  const { group_by, sort } = rows.request
  const isInTime = sort === undefined && (group_by.includes('date') || group_by.includes('hour'))
  if (rows.isLarge && isInTime && group_by.includes('path') && fitsInBits(rows.request, rows.pathNoMax)) {
    return toGroupsOfPage(rows, page)
  }
  return {
    ctes: sql`
  grouped AS MATERIALIZED (${toGrouped(rows, empty)}
  )`,
    total: sql`(SELECT count(*) FROM grouped)`,
    offset: sql`${integer(page.offset)}`,
  }
}

/**
 * Groups of paths in the order of time: only those days or hours are summed up that the page shows. How many paths the
 * others have, sets of bits tell, which is a fraction of the work.
 */
function toGroupsOfPage(rows: GroupedRows, { offset, limit }: PageBounds): Groups {
  const { group_by } = rows.request
  const time = group_by.includes('hour') ? sql`hour_key` : sql`date_key`
  const others = group_by.flatMap((name) => rows.keys[name] ?? [])
  const ctes = sql`
  counted AS MATERIALIZED (
    SELECT time_key, sum(paths)::BIGINT AS groups
    FROM (
      SELECT ${join([sql`${time} AS time_key`, ...others, sql`${countByBits(rows.pathNoMax)} AS paths`], sql`, `)}
      FROM rows
      GROUP BY ${join([sql`time_key`, ...others], sql`, `)}
    )
    GROUP BY time_key
  ),
  placed AS MATERIALIZED (
    SELECT time_key, groups, sum(groups) OVER (ORDER BY time_key) - groups AS groups_before
    FROM counted
  ),
  chosen AS MATERIALIZED (
    SELECT time_key, groups_before
    FROM placed
    WHERE groups_before < ${integer(offset + limit)} AND groups_before + groups > ${integer(offset)}
  ),
  grouped AS (${toGrouped(rows, sql`JOIN chosen ON chosen.time_key = rows.${time}`)}
  )`
  return {
    ctes,
    total: sql`(SELECT sum(groups) FROM counted)`,
    offset: sql`(SELECT ${integer(offset)} - coalesce(min(groups_before), 0) FROM chosen)::BIGINT`,
  }
}

function toGrouped({ request: { group_by }, keys, sums }: GroupedRows, restriction: Sql): Sql {
  const names = group_by.flatMap((name) => keys[name] ?? COMMON_KEYS[name] ?? [])
  // Without groups there is one row, and none when nothing was counted (decisions.md 5.2).
  const groupBy = names.length > 0 ? sql`GROUP BY ${join(names, sql`, `)}` : sql`HAVING count(*) > 0`
  return sql`
    SELECT ${join([...names, ...sums], sql`, `)}
    FROM rows ${restriction}
    ${groupBy}`
}

const COMMON_KEYS: Readonly<Record<string, Sql>> = {
  date: sql`date_key`,
  hour: sql`hour_key`,
  path: sql`path_no`,
  page_type: sql`page_type_no`,
}

/**
 * Exact count of the distinct paths in a group. A set of bits is several times faster than DuckDB's count(DISTINCT), but
 * each group has room for every path of the site, so it is taken only where that is little.
 */
export function countPaths(request: GroupedRows['request'], pathNoMax: number): Sql {
  return fitsInBits(request, pathNoMax) ? countByBits(pathNoMax) : sql`count(DISTINCT path_no)`
}

function countByBits(pathNoMax: number): Sql {
  return sql`coalesce(bit_count(bitstring_agg(path_no, 0, ${integer(pathNoMax)})), 0)`
}

function fitsInBits({ start_date, end_date, group_by }: GroupedRows['request'], pathNoMax: number): boolean {
  const days = group_by.includes('date') || group_by.includes('hour') ? dayCount(start_date, end_date) : 1
  const groups = group_by.reduce((product, name) => product * (GROUPS_OF[name] ?? 1), days)
  return (groups * pathNoMax) / 8 <= LOG_BITSTRING_BYTES_MAX
}

/** About how many values of a field a busy site has. */
const GROUPS_OF: Readonly<Record<string, number>> = {
  hour: 24,
  bot_name: 64,
  bot_provider: 32,
  bot_type: 4,
  page_type: 9,
  referral_source: 16,
}
