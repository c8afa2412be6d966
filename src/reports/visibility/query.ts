import { empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { ANSWER_DIMENSIONS } from '../answer-dimensions.ts'
import { toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { type Column, toTyped } from '../contract.ts'
import { listMeasured, toBrandTables } from '../measured-brands.ts'
import type { Sort } from '../request.ts'
import { METRICS, VISIBILITY, VISIBILITY_METRICS, type VisibilityRequest, type VisibilityRow } from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/**
 * `POST /v1/reports/visibility` (contract/api 5.1 to 5.5 and 12.5). Throws ApiError `invalid_request` for a brand
 * that the site doesn't have, and what `runReport` throws.
 */
export function reportVisibility(
  context: ReportContext,
  siteId: string,
  request: VisibilityRequest,
  walk?: Walk,
): ReportRun<VisibilityRow> {
  return runReport(context, {
    endpoint: VISIBILITY.name,
    siteId,
    request,
    walk,
    datasets: ['answers', 'mentions', 'citations', 'hosts'],
    variant: (state) => listMeasured(state, request.brands).map((brand) => [brand.brandNo, brand.asked]),
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: () => (row) => toRow(row, request),
  })
}

function toQuery(state: SiteState, request: VisibilityRequest, page: { limit: number; offset: number }): Sql {
  const { filter, group_by, metrics } = request
  const slices = toAnswerSlices(state.prompts, group_by, filter)
  const brands = listMeasured(state, request.brands)
  const brandNos = brands.map((brand) => brand.brandNo)
  const promptNoMax = integer(Math.max(1, ...state.prompts.map((prompt) => prompt.promptNo)))
  const prompts = group_by.includes('prompt')
    ? sql`least(count(*), 1)`
    : sql`coalesce(bit_count(bitstring_agg(prompt_no, 0, ${promptNoMax})), 0)`
  const partitionRanked = slices.groupList ? sql`PARTITION BY ${slices.groupList}, ranked` : sql`PARTITION BY ranked`
  const groupBy = slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty

  return sql`
WITH${slices.ctes}${toBrandTables(state, brands)}
  groups AS (
    SELECT ${slices.groups}${METRICS.answers.formula} AS answers, ${prompts}::DOUBLE AS prompts
    FROM ${state.filesOf('answers')} ${slices.restriction}
    WHERE ${state.inRange('answers')}
    ${groupBy}
  ),
  named AS (
    SELECT
      ${slices.groups}brand_no,
      count(*)::DOUBLE AS named,
      sum(position)::DOUBLE AS positions,
      ${prompts}::DOUBLE AS covered
    FROM ${state.filesOf('mentions')} ${slices.restriction}
    WHERE ${state.inRange('mentions')} AND brand_no BETWEEN ${integer(Math.min(...brandNos))} AND ${integer(Math.max(...brandNos))}
    GROUP BY ${slices.groups}brand_no
  ),
  cited AS (
    SELECT ${slices.groups}brand_no, count(*)::DOUBLE AS cited
    FROM (
      SELECT DISTINCT ${slices.groups}answer_no, brand_no
      FROM ${state.filesOf('citations')} JOIN brand_hosts USING (host_no) ${slices.restriction}
      WHERE ${state.inRange('citations')}
    )
    GROUP BY ${slices.groups}brand_no
  ),
  measured AS MATERIALIZED (
    SELECT
      groups.*,
      brands.*,
      coalesce(named, 0) AS named,
      ${METRICS.average_position.formula} AS average_position,
      ${METRICS.mention_rate.formula} AS mention_rate,
      ${METRICS.citation_rate.formula} AS citation_rate,
      ${METRICS.prompt_coverage.formula} AS prompt_coverage
    FROM groups CROSS JOIN brands
    LEFT JOIN named ON named.brand_no = brands.brand_no AND ${slices.sameGroup(sql`named`, sql`groups`)}
    LEFT JOIN cited ON cited.brand_no = brands.brand_no AND ${slices.sameGroup(sql`cited`, sql`groups`)}
  ),
  heard AS (
    SELECT ${slices.groups}coalesce(sum(named) FILTER (ranked), 0) AS ranked_voices
    FROM measured
    ${groupBy}
  ),
  scored AS (
    SELECT
      measured.*,
      ${METRICS.visibility_score.formula} AS visibility_score,
      ranked_voices + CASE WHEN ranked THEN 0 ELSE named END AS voices
    FROM measured JOIN heard ON ${slices.sameGroup(sql`measured`, sql`heard`)}
  ),
  placed AS MATERIALIZED (
    SELECT
      *,
      ${METRICS.share_of_voice.formula} AS share_of_voice,
      round(visibility_score, 9) AS compared_score,
      CASE WHEN ranked THEN rank() OVER (${partitionRanked} ORDER BY round(visibility_score, 9) DESC) END AS rank
    FROM scored
  )
SELECT
  ${join([...group_by.map((dimension) => ANSWER_DIMENSIONS[dimension].sql), ...metrics.map((metric) => METRICS[metric].sql)], sql`, `)},
  brand_name,
  brand_no = 0 AS owned,
  rank,
  (SELECT count(*) FROM placed WHERE asked) AS total_results
FROM placed
${slices.names}
WHERE asked
ORDER BY ${join(toOrder(request), sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

/** contract/api 5.5: `sort` first, nulls last either way; then date, rank, name; then the other group fields. */
function toOrder({ group_by, sort }: VisibilityRequest): Sql[] {
  const date = group_by.includes('date') ? [sql`day`] : []
  return [
    ...(sort ? [toSorting(sort)] : []),
    ...date,
    sql`rank ASC NULLS LAST`,
    sql`brand_name`,
    ...group_by.map((dimension) => ANSWER_DIMENSIONS[dimension].tie),
  ]
}

function toSorting({ field, dir }: Sort): Sql {
  const metric = VISIBILITY_METRICS.find((name) => name === field)
  if (!metric) throw new Error(`the visibility report can't be sorted by ${field}`)
  const { sql: shown, order: column = shown }: Column & { readonly order?: Sql } = METRICS[metric]
  return dir === 'asc' ? sql`${column} ASC NULLS LAST` : sql`${column} DESC NULLS LAST`
}

function toRow(row: Row, { group_by, metrics }: VisibilityRequest): VisibilityRow {
  const out: Record<string, unknown> = toGroupFields(row, group_by)
  out['brand'] = { name: row['brand_name'], owned: row['owned'] }
  out['rank'] = row['rank']
  for (const metric of metrics) out[metric] = row[metric]
  return toTyped(VISIBILITY, out)
}
