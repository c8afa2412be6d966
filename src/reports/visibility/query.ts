import { empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import type { Row } from '../../lake/cells.ts'
import { ANSWER_DIMENSIONS, timeOf } from '../answer-dimensions.ts'
import { type AnswerSlices, toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { type Column, toTyped } from '../contract.ts'
import { listMeasured, toBrandTables } from '../measured-brands.ts'
import type { Sort } from '../request.ts'
import { toCluster, toClustersMax } from '../rate-interval.ts'
import { loadStudentT, type StudentT } from '../../statistics/student-t.ts'
import { CLUSTERED, COUNTED } from './certainty.ts'
import {
  METRICS,
  VISIBILITY,
  VISIBILITY_METRICS,
  type VisibilityMetric,
  type VisibilityRequest,
  type VisibilityRow,
} from './contract.ts'
import { toClusterCounts, toSpread } from './spread.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'

/**
 * `POST /v1/reports/visibility` (contract/api 5.1 to 5.5, 5.15 and 12.5). Throws ApiError `invalid_request` for a brand
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
    toQuery: async (state, page) =>
      toQuery(state, request, page, request.metrics.some(isClustered) ? await loadStudentT() : undefined),
    toRow: () => (row) => toRow(row, request),
  })
}

const isClustered = (metric: string): boolean => Object.hasOwn(CLUSTERED, metric)

/** `studentT`: given where answers are asked for by cluster. */
function toQuery(state: SiteState, request: VisibilityRequest, page: PageBounds, studentT: StudentT | undefined): Sql {
  const { group_by, metrics } = request
  const slices = toAnswerSlices(state, request)
  const brands = listMeasured(state, request.brands)
  const brandNos = brands.map((brand) => brand.brandNo)
  const isMeasured = sql`brand_no BETWEEN ${integer(Math.min(...brandNos))} AND ${integer(Math.max(...brandNos))}`
  const promptNoMax = integer(Math.max(1, ...state.prompts.map((prompt) => prompt.promptNo)))
  const prompts = group_by.includes('prompt')
    ? sql`least(count(*), 1)`
    : sql`coalesce(bit_count(bitstring_agg(prompt_no, 0, ${promptNoMax})), 0)`
  const partitionRanked = slices.groupList ? sql`PARTITION BY ${slices.groupList}, ranked` : sql`PARTITION BY ranked`
  const countsClusters = studentT !== undefined && hasFewGroups(request)
  const groupBy = slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty

  return sql`
WITH${slices.ctes}${toBrandTables(state, brands)}${
    countsClusters
      ? toCountsOfClusters(state, slices, isMeasured)
      : sql`
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
    WHERE ${state.inRange('mentions')} AND ${isMeasured}
    GROUP BY ${slices.groups}brand_no
  ),`
  }
  cited_answers AS ${studentT ? sql`MATERIALIZED ` : empty}(
    SELECT DISTINCT ${slices.groups}${studentT ? sql`${toCluster(group_by)} AS cluster, ` : empty}answer_no, brand_no
    FROM ${state.filesOf('citations')} JOIN brand_hosts USING (host_no) ${slices.restriction}
    WHERE ${state.inRange('citations')}
  ),
  cited AS (
    SELECT ${slices.groups}brand_no, count(*)::DOUBLE AS cited
    FROM cited_answers
    GROUP BY ${slices.groups}brand_no
  ),
  measured AS (
    SELECT
      groups.*,
      brands.*,
      coalesce(named, 0) AS named,
      coalesce(cited, 0) AS cited,
      coalesce(covered, 0) AS covered,
      ${METRICS.average_position.formula} AS average_position,
      ${METRICS.mention_rate.formula} AS mention_rate,
      ${METRICS.citation_rate.formula} AS citation_rate,
      ${METRICS.prompt_coverage.formula} AS prompt_coverage
    FROM groups CROSS JOIN brands
    LEFT JOIN named ON named.brand_no = brands.brand_no AND ${slices.sameGroup(sql`named`, sql`groups`)}
    LEFT JOIN cited ON cited.brand_no = brands.brand_no AND ${slices.sameGroup(sql`cited`, sql`groups`)}
  ),
  heard AS (
    SELECT ${slices.groups}sum(named) AS ranked_voices
    FROM named JOIN brands USING (brand_no)
    WHERE ranked
    ${groupBy}
  ),
  scored AS (
    SELECT
      measured.*,
      ${METRICS.visibility_score.formula} AS visibility_score,
      (SELECT count_if(ranked) FROM brands) AS ranked_brands,
      coalesce(ranked_voices, 0) + CASE WHEN ranked THEN 0 ELSE named END AS voices
    FROM measured LEFT JOIN heard ON ${slices.sameGroup(sql`measured`, sql`heard`)}
  ),
  placed AS MATERIALIZED (
    SELECT *${toColumns(metrics, COUNTED)}
    FROM (
      SELECT
        *,
        ${METRICS.share_of_voice.formula} AS share_of_voice,
        round(visibility_score, 9) AS compared_score,
        CASE WHEN ranked THEN rank() OVER (${partitionRanked} ORDER BY round(visibility_score, 9) DESC) END AS rank
      FROM scored
    )
    WHERE ${studentT ? sql`true` : sql`asked`}
  )${studentT ? toClustered(state, request, page, { slices, isMeasured, studentT }) : empty}
SELECT
  ${join([...group_by.map((dimension) => ANSWER_DIMENSIONS[dimension].sql), ...metrics.map((metric) => METRICS[metric].sql)], sql`, `)},
  brand_name,
  brand_no = 0 AS owned,
  rank,
  (SELECT count(*) FROM placed WHERE asked) AS total_results
FROM ${studentT ? sql`sure` : sql`placed`}
${slices.names}
WHERE asked
ORDER BY ${join(toOrder(request), sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

/** Columns of those of the metrics that are asked for, each with a comma before it. */
function toColumns(metrics: readonly VisibilityMetric[], columns: Readonly<Record<string, { formula: Sql }>>): Sql {
  return metrics.reduce((all, metric) => {
    const column = Object.hasOwn(columns, metric) ? columns[metric] : undefined
    return column === undefined ? all : sql`${all}, ${column.formula} AS ${sql.identifier(metric)}`
  }, empty)
}

/**
 * Whether the groups are so few that all are counted by cluster at once. Days and prompts are many: there the groups of the
 * page are looked at again.
 */
const hasFewGroups = ({ group_by }: VisibilityRequest): boolean =>
  timeOf(group_by) === undefined && !group_by.includes('prompt')

/** CTEs up to `named`, which add up what clusters have; each cluster is a prompt. */
function toCountsOfClusters(state: SiteState, slices: AnswerSlices, isMeasured: Sql): Sql {
  const { groups, groupList } = slices
  return sql`${toClusterCounts(state, slices, [], { restriction: empty, isMeasured })},
  groups AS (
    SELECT ${groups}coalesce(sum(n), 0) AS answers, count(*)::DOUBLE AS prompts
    FROM cluster_answers
    ${groupList ? sql`GROUP BY ${groupList}` : empty}
  ),
  named AS (
    SELECT ${groups}brand_no, sum(s) AS named, sum(positions) AS positions, count(*)::DOUBLE AS covered
    FROM cluster_named
    GROUP BY ${groups}brand_no
  ),`
}

/** CTEs after `placed`, the last of them `sure`: its rows with the metrics that need the answers by cluster. */
function toClustered(
  state: SiteState,
  request: VisibilityRequest,
  page: PageBounds,
  { slices, isMeasured, studentT }: { slices: AnswerSlices; isMeasured: Sql; studentT: StudentT },
): Sql {
  const { group_by, metrics } = request
  return sql`${hasFewGroups(request) ? empty : toPageGroups(state, request, page, { slices, isMeasured })},
  cluster_cited AS (
    SELECT ${slices.groups}cluster, brand_no, count(*)::DOUBLE AS c
    FROM cited_answers
    GROUP BY ${slices.groups}cluster, brand_no
  ),${toSpread({
    slices,
    groupBy: group_by,
    clustersMax: toClustersMax(state, request),
    studentT,
    comparesBrands: metrics.includes('rank_low') || metrics.includes('rank_high'),
  })},
  sure AS (
    SELECT placed.*${toColumns(metrics, CLUSTERED)}
    FROM placed
    LEFT JOIN spread ON ${slices.sameGroup(sql`spread`, sql`placed`)} AND spread.brand_no = placed.brand_no
  )`
}

/** The groups of the page counted by cluster, or all where rows are sorted by what follows from that. */
function toPageGroups(
  state: SiteState,
  request: VisibilityRequest,
  page: PageBounds,
  { slices, isMeasured }: { slices: AnswerSlices; isMeasured: Sql },
): Sql {
  const { group_by, sort } = request
  const groupList = slices.groupList ?? empty
  if (sort !== undefined && isClustered(sort.field)) {
    return sql`,${toClusterCounts(state, slices, group_by, { restriction: empty, isMeasured })}`
  }
  const restriction = sql`SEMI JOIN page_groups USING (${groupList})`
  return sql`,
  page_groups AS MATERIALIZED (
    SELECT DISTINCT ${groupList}
    FROM (
      SELECT ${groupList}
      FROM placed
      ${slices.names}
      WHERE asked
      ORDER BY ${join(toOrder(request), sql`, `)}
      LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}
    )
  ),${toClusterCounts(state, slices, group_by, { restriction, isMeasured })}`
}

/** contract/api 5.5: `sort` first, nulls last either way; then time, rank, name; then the other group fields. */
function toOrder({ group_by, sort }: VisibilityRequest): Sql[] {
  const time = timeOf(group_by)
  return [
    ...(sort ? [toSorting(sort)] : []),
    ...(time ? [time] : []),
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
