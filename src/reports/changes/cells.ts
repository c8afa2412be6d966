import { ApiError } from '../../errors.ts'
import { CHANGE_CELLS_MAX } from '../../limits.ts'
import type { Row } from '../../lake/cells.ts'
import { day, empty, integer, type Sql, sql } from '../../lake/sql.ts'
import { toAnswerSlices } from '../answer-slices.ts'
import { type MeasuredBrand, toBrandTables } from '../measured-brands.ts'
import type { SiteState } from '../run.ts'
import type { Sums } from './change.ts'
import type { ChangesRequest } from './contract.ts'
import type { WeeklySums } from './one-prompt.ts'

/** What one brand has in a cell in a range. */
export interface CellRange extends WeeklySums {
  readonly answers: number
  /** Answers that cite the brand, of as many as `n` says; 0 unless the metric needs them. */
  readonly cited: Sums
}

/** One prompt on one engine, as one brand fares there. */
export interface BrandCell {
  readonly promptNo: number
  readonly platformNo: number
  readonly brandNo: number
  readonly previous: CellRange
  readonly current: CellRange
}

/** The condition that an answer's `day` is in one of the two ranges, and which of them that is. */
export const inEither = (request: ChangesRequest): Sql => sql`(${inRange(request)} OR ${inCompared(request)})`
/** The condition that a `day` is in the range that is compared, and not in the one it is compared with. */
export const inRange = ({ start_date, end_date }: ChangesRequest): Sql =>
  sql`day BETWEEN ${day(start_date)} AND ${day(end_date)}`
const inCompared = ({ compare_start_date, compare_end_date }: ChangesRequest): Sql =>
  sql`day BETWEEN ${day(compare_start_date)} AND ${day(compare_end_date)}`

/**
 * The sums of every cell with an answer in one of the ranges, for each brand that has rows, by prompt, engine and brand. Of
 * the metrics with a rate of their own, `n` and `s` are its denominator and numerator.
 */
export function selectCells(state: SiteState, request: ChangesRequest, brands: readonly MeasuredBrand[]): Sql {
  const { ctes, restriction } = toAnswerSlices(state, { ...request, group_by: [] })
  const { metric } = request
  const isVoice = metric === 'share_of_voice'
  const citesBrand = metric === 'citation_rate' || metric === 'visibility_score'
  // Weeks stand apart only where they are what varies.
  const week = request.group_by.includes('prompt') ? sql`date_trunc('week', day)` : sql`DATE '1970-01-05'`
  const cell = sql`prompt_no, platform_no, ${inRange(request)} AS is_current, ${week} AS week`

  return sql`
WITH${ctes}${toBrandTables(state, brands)}
  asked AS (
    SELECT ${cell}, count(*)::DOUBLE AS answers
    FROM ${state.filesOf('answers')} ${restriction}
    WHERE ${inEither(request)}
    GROUP BY ALL
  ),
  named AS (
    SELECT ${cell}, brand_no, count(*)::DOUBLE AS named
    FROM ${state.filesOf('mentions')} JOIN brands USING (brand_no) ${restriction}
    WHERE ${inEither(request)}
    GROUP BY ALL
  ),${
    citesBrand
      ? sql`
  cited AS (
    SELECT prompt_no, platform_no, is_current, week, brand_no, count(*)::DOUBLE AS cited
    FROM (
      SELECT DISTINCT ${cell}, answer_no, brand_no
      FROM ${state.filesOf('citations')} JOIN brand_hosts USING (host_no) ${restriction}
      WHERE ${inEither(request)}
    )
    GROUP BY ALL
  ),`
      : empty
  }${
    isVoice
      ? sql`
  heard AS (
    SELECT prompt_no, platform_no, is_current, week, sum(named) AS voices
    FROM named SEMI JOIN (SELECT brand_no FROM brands WHERE ranked) AS ranked_brands USING (brand_no)
    GROUP BY ALL
  ),`
      : empty
  }
  counted AS (
    SELECT
      prompt_no, platform_no, brand_no, is_current, answers, ${citesBrand ? sql`coalesce(cited, 0)` : sql`0`} AS cited,
      ${isVoice ? sql`coalesce(voices, 0) + CASE WHEN ranked THEN 0 ELSE coalesce(named, 0) END` : sql`answers`} AS n,
      ${metric === 'citation_rate' ? sql`coalesce(cited, 0)` : sql`coalesce(named, 0)`} AS s
    FROM asked CROSS JOIN (SELECT brand_no, ranked FROM brands WHERE asked) AS shown
    LEFT JOIN named USING (prompt_no, platform_no, is_current, week, brand_no)
    ${citesBrand ? sql`LEFT JOIN cited USING (prompt_no, platform_no, is_current, week, brand_no)` : empty}
    ${isVoice ? sql`LEFT JOIN heard USING (prompt_no, platform_no, is_current, week)` : empty}
  )
SELECT
  prompt_no, platform_no, brand_no,
  ${sumUp(sql`previous`, sql`NOT is_current`)},
  ${sumUp(sql`current`, sql`is_current`)}
FROM counted
GROUP BY prompt_no, platform_no, brand_no
ORDER BY prompt_no, platform_no, brand_no
LIMIT ${integer(CHANGE_CELLS_MAX + 1)}`
}

/** The columns of a range; their names begin with it. */
function sumUp(range: Sql, isIn: Sql): Sql {
  const sum = (value: Sql, name: Sql): Sql => sql`coalesce(sum(${value}) FILTER (${isIn}), 0) AS ${range}_${name}`
  return sql`${sum(sql`answers`, sql`answers`)}, ${sum(sql`cited`, sql`cited`)}, ${sum(sql`n`, sql`n`)}, ${sum(sql`s`, sql`s`)},
  count(*) FILTER (${isIn} AND n > 0) AS ${range}_weeks, ${sum(sql`s * s`, sql`ss`)}, ${sum(sql`s * n`, sql`sn`)}, ${sum(sql`n * n`, sql`nn`)}`
}

/** Throws ApiError `invalid_request` when there are more cells than may be compared at once. */
export function readCells(rows: readonly Row[]): BrandCell[] {
  if (rows.length > CHANGE_CELLS_MAX) {
    const message = `This compares more than ${CHANGE_CELLS_MAX} brands of prompts on engines. Name fewer brands, or filter.`
    throw new ApiError('invalid_request', message, { details: [{ path: 'brands', message }] })
  }
  return rows.map((row) => ({
    promptNo: Number(row['prompt_no']),
    platformNo: Number(row['platform_no']),
    brandNo: Number(row['brand_no']),
    previous: readRange(row, 'previous'),
    current: readRange(row, 'current'),
  }))
}

function readRange(row: Row, range: 'previous' | 'current'): CellRange {
  const read = (name: string): number => Number(row[`${range}_${name}`])
  const n = read('n')
  return {
    answers: read('answers'),
    cited: { n, s: read('cited') },
    n,
    s: read('s'),
    weeks: read('weeks'),
    ss: read('ss'),
    sn: read('sn'),
    nn: read('nn'),
  }
}
