import { empty, integer, join, type Sql, sql } from '../lake/sql.ts'
import { LOG_BITSTRING_BYTES_MAX, LOG_WORD_GROUPS_MAX } from '../limits.ts'
import { dayCount } from '../domain/day.ts'
import type { LogColumns } from './log-fields.ts'
import { TIMES } from './request.ts'
import type { PageBounds } from './run.ts'

/** The groups of a log report over its CTE `rows`. */
export interface GroupedRows {
  readonly request: LogColumns & { readonly start_date: string; readonly end_date: string }
  /** Columns of `rows` by which fields other than time, path and page type are grouped. */
  readonly keys: Readonly<Record<string, Sql>>
  /** Metrics, as aggregates with their names. */
  readonly sums: readonly Sql[]
  /** Where `pages` are counted of many rows: how that may be done by words. */
  readonly inWords?: PathWords | undefined
  /** No path has a higher number. */
  readonly pathNoMax: number
  /** There may be a row for each path and quarter of an hour. */
  readonly isLarge: boolean
}

/** Paths of a group as sets of 64 paths each. */
export interface PathWords {
  /** Columns of `rows` as what many of them come to, by the same names. */
  readonly carried: readonly Sql[]
  /** As `sums`, over `carried` and the column `words`. */
  readonly sums: readonly Sql[]
}

/** Paths of all words in a group. */
export const COUNT_WORDS = sql`sum(bit_count(words))`

/** CTEs that end with `grouped`, with a row for each group; the number of all groups; how many of `grouped` to pass over. */
export interface Groups {
  readonly ctes: Sql
  readonly total: Sql
  readonly offset: Sql
}

export function toGroups(rows: GroupedRows, page: PageBounds): Groups {
  const { group_by, sort } = rows.request
  const isInTime = sort === undefined && isByTime(rows.request)
  if (rows.isLarge && isInTime && group_by.includes('path') && fitsInBits(rows.request, rows.pathNoMax)) {
    return toGroupsOfPage(rows, page)
  }
  const inWords = fitsInWords(rows.request, rows.pathNoMax) ? rows.inWords : undefined
  return {
    ctes: inWords
      ? toGroupsByWords(rows, inWords)
      : sql`
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
  const time = finestTime(group_by)
  const others = group_by.flatMap((name) => rows.keys[name] ?? [])
  const isInWords = fitsInWords(rows.request, rows.pathNoMax)
  const counted = isInWords
    ? sql`
      SELECT time_key, bit_count(words) AS paths
      FROM (${toWords([sql`${time} AS time_key`, ...others], [sql`time_key`, ...others], [])}
      )`
    : sql`
      SELECT ${join([sql`${time} AS time_key`, ...others, sql`${countByBits(rows.pathNoMax)} AS paths`], sql`, `)}
      FROM rows
      GROUP BY ${join([sql`time_key`, ...others], sql`, `)}`
  const ctes = sql`
  ${isInWords ? BITS : empty}counted AS MATERIALIZED (
    SELECT time_key, sum(paths)::BIGINT AS groups
    FROM (${counted}
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

/**
 * Groups with the number of their paths, by sets of 64 paths each: where a time has few groups, adding to such a set takes
 * half of what adding to one of all paths does.
 */
function toGroupsByWords({ request, keys }: GroupedRows, { carried, sums }: PathWords): Sql {
  const names = toNames(request, keys)
  return sql`
  ${BITS}worded AS (${toWords(names, names, carried)}
  ),
  grouped AS MATERIALIZED (
    SELECT ${join([...names, ...sums], sql`, `)}
    FROM worded
    GROUP BY ${join(names, sql`, `)}
  )`
}

/** Single bits, by their places. */
const BITS = sql`bits AS (SELECT list(1::UBIGINT << place::UBIGINT ORDER BY place) AS bit FROM range(64) AS places(place)),
  `

/** `names` are the columns of the groups, `keys` what they are called. */
function toWords(names: readonly Sql[], keys: readonly Sql[], carried: readonly Sql[]): Sql {
  const columns = [...names, sql`path_no // 64 AS word`, ...carried, sql`bit_or(bit[path_no % 64 + 1]) AS words`]
  return sql`
    SELECT ${join(columns, sql`, `)}
    FROM rows, bits
    GROUP BY ${join([...keys, sql`word`], sql`, `)}`
}

function toNames({ group_by }: GroupedRows['request'], keys: GroupedRows['keys']): Sql[] {
  return group_by.flatMap((name) => keys[name] ?? COMMON_KEYS[name] ?? [])
}

function toGrouped({ request, keys, sums }: GroupedRows, restriction: Sql): Sql {
  const names = toNames(request, keys)
  // Without groups there is one row, and none when nothing was counted (contract/api 5.2).
  const groupBy = names.length > 0 ? sql`GROUP BY ${join(names, sql`, `)}` : sql`HAVING count(*) > 0`
  return sql`
    SELECT ${join([...names, ...sums], sql`, `)}
    FROM rows ${restriction}
    ${groupBy}`
}

const COMMON_KEYS: Readonly<Record<string, Sql>> = {
  date: sql`date_key`,
  week: sql`week_key`,
  month: sql`month_key`,
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

function fitsInBits(request: GroupedRows['request'], pathNoMax: number): boolean {
  return (countGroups(request) * pathNoMax) / 8 <= LOG_BITSTRING_BYTES_MAX
}

/** Groups without time are few: sets of all paths are faster for them. */
function fitsInWords(request: GroupedRows['request'], pathNoMax: number): boolean {
  return isByTime(request) && (countGroups(request) * pathNoMax) / 64 <= LOG_WORD_GROUPS_MAX
}

/** About how many groups there may be, those by path left out. */
function countGroups(request: GroupedRows['request']): number {
  const days = dayCount(request.start_date, request.end_date)
  const time = request.group_by.find((name) => TIMES.includes(name)) ?? 'none'
  const times = Math.ceil(days / (DAYS_OF[time] ?? days))
  return request.group_by.reduce((product, name) => product * (GROUPS_OF[name] ?? 1), times)
}

function isByTime({ group_by }: GroupedRows['request']): boolean {
  return group_by.some((name) => TIMES.includes(name))
}

/** The column of the time by which rows are in order; an hour is of one date. */
function finestTime(groupBy: readonly string[]): Sql {
  const time = ['hour', 'date', 'week', 'month'].find((name) => groupBy.includes(name))
  return COMMON_KEYS[time ?? ''] ?? sql`date_key`
}

/** Days that a value of a time has, for `countGroups`. */
const DAYS_OF: Readonly<Record<string, number>> = { date: 1, hour: 1, week: 7, month: 28 }

/** About how many values of a field a busy site has. */
const GROUPS_OF: Readonly<Record<string, number>> = {
  hour: 24,
  bot_name: 64,
  bot_provider: 32,
  bot_type: 4,
  page_type: 9,
  referral_source: 16,
}
