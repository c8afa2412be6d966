import type { SourceKind } from '../../domain/enums.ts'
import type { Row } from '../../lake/cells.ts'
import { empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import { ANSWER_FILTER_FIELDS, timeOf } from '../answer-dimensions.ts'
import { namesModels, toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { namesOf, toTyped } from '../contract.ts'
import { type CitationsQuery, toChosenDays, toCounted, toJudging } from './counts.ts'
import { splitByFields } from '../filter.ts'
import {
  type CitationRow,
  CITATIONS,
  type CitationsRequest,
  DIMENSIONS,
  ENTITIES,
  METRICS,
  OWNER,
  RANK,
} from './contract.ts'
import type { Walk } from '../cursor.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'
import { listBrandDomains, toSiteHosts } from '../site-hosts.ts'
import { createSourceKinds } from '../site-source-kinds.ts'

/** `POST /v1/reports/citations` (contract/api 5.5, 5.6 and 12.5). Throws what `runReport` throws. */
export function reportCitations(
  context: ReportContext,
  siteId: string,
  request: CitationsRequest,
  walk?: Walk,
): ReportRun<CitationRow> {
  return runReport(context, {
    endpoint: CITATIONS.name,
    siteId,
    request,
    walk,
    datasets: [
      'citations',
      'hosts',
      'pages',
      ...(namesModels(request.group_by, request.filter) ? (['answers'] as const) : []),
    ],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow(state) {
      const kindOf = createSourceKinds(state.site, listBrandDomains(state))
      return (row) => toRow(row, request, kindOf)
    },
  })
}

/**
 * `counted` has a row per group and domain or page: the true counts, which rank and share are made of, and the counts of
 * the citations that pass the filter. By date it holds only the days whose rows the page shows. Names are joined only for
 * the rows that tie their way into the page: a name is needed to order rows of one rank and one number of citations, and
 * for nothing before that.
 */
function toQuery(state: SiteState, request: CitationsRequest, page: PageBounds): Sql {
  const { entity, group_by, filter } = request
  const { ofThose: ofAnswers, others: ofCitations } = splitByFields(filter, namesOf(ANSWER_FILTER_FIELDS))
  const judging = toJudging(entity, ofCitations)
  const slices = toAnswerSlices(
    state,
    { ...request, filter: ofAnswers },
    judging.by === 'each' ? ofCitations : undefined,
  )
  const isByDate = group_by.includes('date')
  const query: CitationsQuery = { state, request, page, judging, slices }
  const inGroup = slices.groupList ? sql`PARTITION BY ${slices.groupList}` : empty
  const time = timeOf(group_by)
  const timeFirst = time ? sql`${time}, ` : empty
  const sameTime = time ? sql`AND ranked.${time} = chosen.${time}` : empty
  const name = ENTITIES[entity].sql
  const names = entity === 'domain' ? [name] : [name, ENTITIES.domain.sql]
  const offset = isByDate
    ? sql`(${integer(page.offset)} - (SELECT min(through - entities) FROM chosen_days))`
    : sql`${integer(page.offset)}`

  return sql`
WITH${slices.ctes}${toSiteHosts(state, judging)},
  in_range AS NOT MATERIALIZED (
    SELECT day, platform_no, prompt_no, answer_no, host_no, page_no, first_of_domain, first_of_page${slices.added}
    FROM ${state.filesOf('citations')} ${slices.restriction}
    WHERE ${state.inRange('citations')}${entity === 'page' ? sql` AND page_no IS NOT NULL` : empty}
  ),${isByDate ? toChosenDays(query) : empty}
  cited AS NOT MATERIALIZED (
    SELECT * FROM in_range ${isByDate ? sql`SEMI JOIN chosen_days USING (day)` : empty}
  ),${toCounted(query)},
  levels AS (
    SELECT ${slices.groups}true_answers, count(*) AS entities
    FROM counted
    GROUP BY ${slices.groups}true_answers
  ),
  ranks AS (
    SELECT
      ${slices.groups}true_answers,
      1 + coalesce(sum(entities) OVER (
        ${inGroup} ORDER BY true_answers DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
      ), 0)::BIGINT AS rank
    FROM levels
  ),
  totals AS (
    SELECT ${slices.groups}sum(true_citations) AS all_citations
    FROM counted
    ${slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty}
  ),
  ranked AS NOT MATERIALIZED (
    SELECT counted.*, rank
    FROM counted JOIN ranks
      ON counted.true_answers = ranks.true_answers AND ${slices.sameGroup(sql`counted`, sql`ranks`)}
    WHERE citations > 0
  ),
  ties AS MATERIALIZED (
    SELECT ${timeFirst}rank, citations, count(*) AS tied
    FROM ranked
    GROUP BY ${timeFirst}rank, citations
  ),
  placed AS (
    SELECT
      *,
      sum(tied) OVER (ORDER BY ${timeFirst}rank, citations DESC ROWS UNBOUNDED PRECEDING) AS through,
      ${isByDate ? sql`(SELECT any_value(total_results) FROM chosen_days)` : sql`(SELECT sum(tied) FROM ties)`} AS total_results
    FROM ties
  ),
  chosen AS MATERIALIZED (
    SELECT *
    FROM placed
    WHERE through > ${offset} AND through - tied < ${offset} + ${integer(page.limit)}
  ),
  shown AS (
    SELECT ranked.*, true_citations / all_citations AS citation_share, total_results
    FROM ranked JOIN chosen ON ranked.rank = chosen.rank AND ranked.citations = chosen.citations ${sameTime}
    JOIN totals ON ${slices.sameGroup(sql`ranked`, sql`totals`)}
  )
SELECT
  ${join([...group_by.map((dimension) => DIMENSIONS[dimension].sql), ...names], sql`, `)},
  ${join(
    [OWNER, RANK, ...Object.values(METRICS)].map((column) => column.sql),
    sql`,
  `,
  )},
  total_results::DOUBLE AS total_results
FROM shown ${toEntityNames(query)} ${slices.names}
ORDER BY ${join([sql`${timeFirst}rank`, sql`citations DESC`, name, ...group_by.map((dimension) => DIMENSIONS[dimension].tie)], sql`, `)}
LIMIT ${integer(page.limit)} OFFSET (${offset} - (SELECT min(through - tied) FROM chosen))::BIGINT`
}

/** Joins that give rows of `counted` what belongs to their domain or page; LEFT as in `AnswerSlices.names`. */
function toEntityNames({ request: { entity }, state }: CitationsQuery): Sql {
  if (entity === 'domain') return empty
  return sql`
LEFT JOIN (SELECT page_no, page FROM ${state.filesOf('pages')}) USING (page_no)
LEFT JOIN (SELECT host_no, domain, owner_no FROM site_hosts) USING (host_no)`
}

function toRow(
  row: Row,
  { entity, group_by, metrics }: CitationsRequest,
  kindOf: (domain: string) => SourceKind,
): CitationRow {
  const out: Record<string, unknown> = toGroupFields(row, group_by)
  out[entity] = row[entity]
  out['owner'] = row['owner']
  out['source_kind'] = kindOf(String(row['domain']))
  out['rank'] = row['rank']
  for (const metric of metrics) out[metric] = row[metric]
  return toTyped(CITATIONS, out)
}
