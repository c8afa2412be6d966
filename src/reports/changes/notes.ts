import { DAY_MS, dayCount, dayStartMs, toDay } from '../../domain/day.ts'
import { ENGINE_IDS } from '../../domain/enums.ts'
import type { Row } from '../../lake/cells.ts'
import { type Sql, sql } from '../../lake/sql.ts'
import { toAnswerSlices } from '../answer-slices.ts'
import type { Days } from '../request.ts'
import type { SiteState } from '../run.ts'
import { inEither, inRange } from './cells.ts'
import type { ChangesRequest } from './contract.ts'

/** Models, and runs of days, that a note names; of the rest it says how many. */
const NAMED_MAX = 5

/** Days with answers and models of each engine with an answer in one of the ranges, as texts of JSON. */
export function selectEngines(state: SiteState, request: ChangesRequest): Sql {
  const { ctes, restriction } = toAnswerSlices(state, { ...request, group_by: [] })
  return sql`
WITH${ctes}
  answered AS MATERIALIZED (
    SELECT DISTINCT platform_no, ${inRange(request)} AS is_current, day, nullif(model, '') AS model
    FROM ${state.filesOf('answers')} ${restriction}
    WHERE ${inEither(request)}
  ),
  models AS (
    SELECT platform_no, model, bool_or(NOT is_current) AS in_previous, bool_or(is_current) AS in_current
    FROM answered
    WHERE model IS NOT NULL
    GROUP BY platform_no, model
  ),
  of_models AS (
    SELECT
      platform_no,
      bool_or(in_previous) AND bool_or(in_current) AND bool_or(in_previous <> in_current) AS changed,
      count(*) FILTER (in_previous) AS previous_count,
      count(*) FILTER (in_current) AS current_count,
      (list(model ORDER BY model) FILTER (in_previous))[1:${sql.count(NAMED_MAX)}]::JSON::VARCHAR AS previous_models,
      (list(model ORDER BY model) FILTER (in_current))[1:${sql.count(NAMED_MAX)}]::JSON::VARCHAR AS current_models
    FROM models
    GROUP BY platform_no
  ),
  of_days AS (
    SELECT platform_no, list_sort(list(DISTINCT strftime(day, '%Y-%m-%d')))::JSON::VARCHAR AS days
    FROM answered
    GROUP BY platform_no
  )
SELECT *
FROM of_days LEFT JOIN of_models USING (platform_no)
ORDER BY platform_no`
}

/**
 * What to know of engines before a change is believed: days of a range without an answer, and models that changed. A
 * sentence each, which begins with the engine.
 */
export function toNotes(rows: readonly Row[], request: ChangesRequest): string[] {
  const previous = { start_date: request.compare_start_date, end_date: request.compare_end_date }
  return rows.flatMap((row) => {
    const engine = ENGINE_IDS[Number(row['platform_no']) - 1]
    const days = new Set(readTexts(row['days']))
    const notes = [previous, request].flatMap((range) => toGapNote(range, days))
    if (row['changed'] === true) {
      const before = listModels(row, 'previous')
      const after = listModels(row, 'current')
      notes.push(`the model changed, from ${before} (${toPeriod(previous)}) to ${after} (${toPeriod(request)}).`)
    }
    return notes.map((note) => `${engine}: ${note}`)
  })
}

function toGapNote({ start_date, end_date }: Days, answered: ReadonlySet<string>): string[] {
  const count = dayCount(start_date, end_date)
  const start = dayStartMs(start_date)
  const missing = Array.from({ length: count }, (_, index) => toDay(start + index * DAY_MS)).filter(
    (day) => !answered.has(day),
  )
  const period = toPeriod({ start_date, end_date })
  if (missing.length === 0) return []
  if (missing.length === count) return [`no answers from ${period}.`]
  return [`no answers on ${missing.length} of ${count} days from ${period}: ${listRuns(missing)}.`]
}

const toPeriod = ({ start_date, end_date }: Days): string => `${start_date} to ${end_date}`

/** Days in order as runs: `2026-11-03, 2026-11-05 to 2026-11-07`. */
function listRuns(days: readonly string[]): string {
  const runs: { first: string; last: string }[] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run !== undefined && dayCount(run.last, day) === 2) run.last = day
    else runs.push({ first: day, last: day })
  }
  const named = runs.map(({ first, last }) => (first === last ? first : `${first} to ${last}`))
  return listNamed(named.slice(0, NAMED_MAX), runs.length)
}

function listModels(row: Row, range: 'previous' | 'current'): string {
  return listNamed(readTexts(row[`${range}_models`]), Number(row[`${range}_count`]))
}

function listNamed(named: readonly string[], count: number): string {
  return [...named, ...(count > named.length ? [`${count - named.length} more`] : [])].join(', ')
}

function readTexts(json: Row[string] | undefined): readonly string[] {
  return typeof json === 'string' ? (JSON.parse(json) as string[]) : []
}
