import { OWN_BRAND } from '../domain/brand.ts'
import { day, empty, integer, join, type Sql, sql } from '../lake/sql.ts'
import type { Row } from '../lake/cells.ts'
import { PUBLIC_COLUMNS, TIE_COLUMNS, toAnswerSlices, toGroupFields } from './answer-slices.ts'
import type { ReportPage, SentimentMetric, SentimentRequest } from './request.ts'
import { type PageBounds, type ReportContext, runReport, type SiteState } from './run.ts'

/** A row of the sentiment report: one per group. */
export interface SentimentRow {
  date?: string
  platform?: string
  prompt?: { id: string; text: string }
  category?: string
  positive: number
  neutral: number
  negative: number
  answers_mentioning: number
  answers: number
  positive_answers?: number
  neutral_answers?: number
  negative_answers?: number
  judged_answers?: number
}

/** `POST /v1/reports/sentiment` (contract/api 5.2, 5.5, 5.7 and 12.5). Throws what `runReport` throws. */
export async function reportSentiment(
  context: ReportContext,
  siteId: string,
  request: SentimentRequest,
): Promise<ReportPage<SentimentRow>> {
  return runReport(context, {
    endpoint: 'sentiment',
    siteId,
    request,
    datasets: ['answers', 'mentions'],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: () => (row) => toRow(row, request),
  })
}

/** The counts behind the shares, and how many of them are a judgement at all. */
const METRICS: Readonly<Record<SentimentMetric, Sql>> = {
  positive_answers: sql`positives AS positive_answers`,
  neutral_answers: sql`answers_mentioning - positives - negatives AS neutral_answers`,
  negative_answers: sql`negatives AS negative_answers`,
  judged_answers: sql`judged_answers`,
}

/** Not judged counts as neutral: 0 and 2 in `sentiment_no`, beside 1 for positive and 3 for negative. */
function toQuery(state: SiteState, request: SentimentRequest, page: PageBounds): Sql {
  const { filter, group_by, metrics } = request
  const slices = toAnswerSlices(state.prompts, group_by, filter)
  const order = [
    ...(group_by.includes('date') ? [sql`day`] : []),
    sql`answers_mentioning DESC`,
    ...group_by.map((dimension) => TIE_COLUMNS[dimension]),
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
  ${group_by.map((dimension) => sql`${PUBLIC_COLUMNS[dimension]}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE positives / answers_mentioning END AS positive,
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE (answers_mentioning - positives - negatives) / answers_mentioning END AS neutral,
  CASE WHEN answers_mentioning = 0 THEN 0 ELSE negatives / answers_mentioning END AS negative,
  answers_mentioning,
  answers,
  ${(metrics ?? []).map((metric) => sql`${METRICS[metric]}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  (SELECT count(*) FROM counted)::DOUBLE AS total_results
FROM counted ${slices.names}
ORDER BY ${join(order, sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

function toRow(row: Row, { group_by, metrics = [] }: SentimentRequest): SentimentRow {
  const out: Record<string, unknown> = toGroupFields(row, group_by)
  for (const field of ['positive', 'neutral', 'negative', 'answers_mentioning', 'answers', ...metrics] as const)
    out[field] = row[field]
  return out as unknown as SentimentRow
}
