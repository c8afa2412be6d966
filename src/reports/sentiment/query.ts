import { empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { ANSWER_DIMENSIONS, timeOf } from '../answer-dimensions.ts'
import { type AnswerSlices, toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { namesOf, toTyped } from '../contract.ts'
import {
  SQUARE,
  toCluster,
  toClustersMax,
  toCriticalValue,
  toDesignEffect,
  toEffectiveAnswers,
  toSteadySum,
  toVariance,
} from '../rate-interval.ts'
import { loadStudentT, type StudentT } from '../../statistics/student-t.ts'
import { COLUMNS, INTERVALS, METRICS, SENTIMENT, type SentimentRequest, type SentimentRow } from './contract.ts'
import { toOwnMentions } from '../measured-brands.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/** `POST /v1/reports/sentiment` (contract/api 5.2, 5.5, 5.7, 5.15 and 12.5). Throws what `runReport` throws. */
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
    toQuery: async (state, page) => {
      const isSure = request.metrics?.some((metric) => Object.hasOwn(INTERVALS, metric)) === true
      return toQuery(state, request, page, isSure ? await loadStudentT() : undefined)
    },
    toRow: () => (row) => toRow(row, request),
  })
}

/**
 * Not judged counts as neutral: 0 and 2 in `sentiment_no`, beside 1 for positive and 3 for negative. `studentT`: given where
 * intervals are asked for.
 */
function toQuery(state: SiteState, request: SentimentRequest, page: PageBounds, studentT: StudentT | undefined): Sql {
  const { group_by, metrics } = request
  const slices = toAnswerSlices(state, request)
  const time = timeOf(group_by)
  const order = [
    ...(time ? [time] : []),
    sql`answers_mentioning DESC`,
    ...group_by.map((dimension) => ANSWER_DIMENSIONS[dimension].tie),
  ]
  return sql`
WITH${slices.ctes}${toOwnMentions(state)}
  judged AS (
    SELECT *, own_mentions.answer_no IS NOT NULL AS is_mentioning
    FROM ${state.filesOf('answers')} AS answers LEFT JOIN own_mentions USING (answer_no) ${slices.restriction}
    WHERE ${state.inRange('answers')}
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
  )${studentT ? toSure(state, request, slices, studentT) : empty}
SELECT
  ${group_by.map((dimension) => sql`${ANSWER_DIMENSIONS[dimension].sql}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  ${join(
    Object.values(COLUMNS).map((column) => column.sql),
    sql`,
  `,
  )},
  ${(metrics ?? []).map((metric) => sql`${METRICS[metric].sql}, `).reduce((all, column) => sql`${all}${column}`, empty)}
  (SELECT count(*) FROM counted)::DOUBLE AS total_results
FROM ${studentT ? sql`sure` : sql`counted`} ${slices.names}
ORDER BY ${join(order, sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

/**
 * CTEs after `counted`, the last of them `sure`: its rows with the effective answers of each tone. A tone that none or all of
 * the answers have borrows the design effect of the other two (docs/methods.md 2).
 */
function toSure(state: SiteState, request: SentimentRequest, slices: AnswerSlices, studentT: StudentT): Sql {
  const { groups, groupsOf, sameGroup } = slices
  const n = sql`answers_mentioning`
  const squares = (part: Sql, all: Sql): Sql =>
    toVariance(toSteadySum(sql`pow(${part} - ${all} / ${n} * n, 2)`, SQUARE), n)
  const borrowing = (own: Sql, one: Sql, other: Sql): Sql =>
    toEffectiveAnswers(n, sql`coalesce(${own}, (${one} + ${other}) / 2, ${one}, ${other})`)
  const [positive, neutral, negative] = [sql`positive_effect`, sql`neutral_effect`, sql`negative_effect`]
  return sql`,
  tone_clusters AS (
    SELECT
      ${groups}${toCluster(request.group_by)} AS cluster,
      count(*)::DOUBLE AS n,
      count_if(sentiment_no = 1)::DOUBLE AS p,
      count_if(sentiment_no = 3)::DOUBLE AS m
    FROM judged
    WHERE is_mentioning
    GROUP BY ${groups}cluster
  ),
  varied AS (
    SELECT
      ${groupsOf(sql`counted`)}${n}, positives, negatives, ${n} - positives - negatives AS neutrals, count(*) AS clusters,
      ${squares(sql`p`, sql`positives`)} AS positive_variance,
      ${squares(sql`(n - p - m)`, sql`(${n} - positives - negatives)`)} AS neutral_variance,
      ${squares(sql`m`, sql`negatives`)} AS negative_variance
    FROM tone_clusters JOIN counted ON ${sameGroup(sql`counted`, sql`tone_clusters`)}
    GROUP BY ${groupsOf(sql`counted`)}${n}, positives, negatives
  ),
  effects AS (
    SELECT
      *,
      ${toCriticalValue(sql`clusters`, toClustersMax(state, request), studentT)} AS critical_value,
      ${toDesignEffect(sql`positives`, n, sql`positive_variance`)} AS positive_effect,
      ${toDesignEffect(sql`neutrals`, n, sql`neutral_variance`)} AS neutral_effect,
      ${toDesignEffect(sql`negatives`, n, sql`negative_variance`)} AS negative_effect
    FROM varied
    WHERE clusters >= 2
  ),
  effective AS (
    SELECT
      ${groups}neutrals,
      ${borrowing(positive, neutral, negative)} AS effective_positives,
      ${borrowing(neutral, positive, negative)} AS effective_neutrals,
      ${borrowing(negative, positive, neutral)} AS effective_negatives
    FROM effects
  ),
  sure AS (
    SELECT counted.*, neutrals, effective_positives, effective_neutrals, effective_negatives
    FROM counted LEFT JOIN effective ON ${sameGroup(sql`effective`, sql`counted`)}
  )`
}

function toRow(row: Row, { group_by, metrics = [] }: SentimentRequest): SentimentRow {
  const out: Record<string, unknown> = toGroupFields(row, group_by)
  for (const name of [...namesOf(COLUMNS), ...metrics]) out[name] = row[name]
  return toTyped(SENTIMENT, out)
}
