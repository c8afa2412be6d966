import { OWN_BRAND } from '../../domain/brand.ts'
import { day, empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { ANSWER_DIMENSIONS, timeOf } from '../answer-dimensions.ts'
import { toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { namesOf, toTyped } from '../contract.ts'
import { COLUMNS, METRICS, SENTIMENT, type SentimentRequest, type SentimentRow } from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/** `POST /v1/reports/sentiment` (contract/api 5.2, 5.5, 5.7 and 12.5). Throws what `runReport` throws. */
export function reportSentiment(
  context: ReportContext,
  siteId: string,
  request: SentimentRequest,
  walk?: Walk,
): ReportRun<SentimentRow> {
  return runReport(context, {
    endpoint: SENTIMENT.name,
    siteId,
    request,
    walk,
    datasets: ['answers', 'mentions'],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: () => (row) => toRow(row, request),
  })
}

/** Not judged counts as neutral: 0 and 2 in `sentiment_no`, beside 1 for positive and 3 for negative. */
function toQuery(state: SiteState, request: SentimentRequest, page: PageBounds): Sql {
  const { group_by, metrics } = request
  const slices = toAnswerSlices(state.prompts, request)
  const time = timeOf(group_by)
  const order = [
    ...(time ? [time] : []),
    sql`answers_mentioning DESC`,
    ...group_by.map((dimension) => ANSWER_DIMENSIONS[dimension].tie),
  ]
  return sql`
WITH${slices.ctes}
  own_mentions AS (
    SELECT answer_no
    FROM ${state.filesOf('mentions')}
    WHERE brand_no = ${integer(OWN_BRAND)} AND day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}
  ),
  judged AS (
    SELECT *, own_mentions.answer_no IS NOT NULL AS is_mentioning
    FROM ${state.filesOf('answers')} AS answers LEFT JOIN own_mentions USING (answer_no) ${slices.restriction}
    WHERE day BETWEEN ${day(request.start_date)} AND ${day(request.end_date)}
  ),
  counted AS MATERIALIZED (
    SELECT
      ${slices.groups}count(*)::DOUBLE AS answers,
      count(*) FILTER (is_mentioning)::DOUBLE AS answers_mentioning,
      count(*) FILTER (is_mentioning AND sentiment_no = 1)::DOUBLE AS positives,
      count(*) FILTER (is_mentioning AND sentiment_no = 3)::DOUBLE AS negatives,
      count(*) FILTER (is_mentioning AND sentiment_no > 0)::DOUBLE AS judged_answers
    FROM judged
    ${slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty}
  )
SELECT
  ${group_by.map((dimension) => sql`${ANSWER_DIMENSIONS[dimension].sql}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  ${join(
    Object.values(COLUMNS).map((column) => column.sql),
    sql`,
  `,
  )},
  ${(metrics ?? []).map((metric) => sql`${METRICS[metric].sql}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  (SELECT count(*) FROM counted)::DOUBLE AS total_results
FROM counted ${slices.names}
ORDER BY ${join(order, sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

function toRow(row: Row, { group_by, metrics = [] }: SentimentRequest): SentimentRow {
  const out: Record<string, unknown> = toGroupFields(row, group_by)
  for (const name of [...namesOf(COLUMNS), ...metrics]) out[name] = row[name]
  return toTyped(SENTIMENT, out)
}
