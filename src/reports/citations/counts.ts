import { empty, integer, type Sql, sql } from '../../lake/sql.ts'
import { PAGE_BITS_MAX, SHORT_NUMBER_MAX } from '../../limits.ts'
import type { AnswerSlices } from '../answer-slices.ts'
import { namesOnly, toPredicate } from '../filter.ts'
import type { Filter } from '../request.ts'
import type { PageBounds, SiteState } from '../run.ts'
import type { Judging } from '../site-hosts.ts'
import { CITATION_FILTER_FIELDS, type CitationsRequest } from './contract.ts'

/** What the SQL of one page of the report is made from. */
export interface CitationsQuery {
  readonly state: SiteState
  readonly request: CitationsRequest
  readonly page: PageBounds
  readonly judging: Judging
  readonly slices: AnswerSlices
}

/** Fields that a filter may name and still keep or drop a domain, or a page, whole. */
const COMMON_FIELDS = { domain: ['domain', 'source_kind'], page: ['domain', 'source_kind', 'owner'] } as const

/** The cheapest way to judge by `filter` that is exact. */
export function toJudging(entity: CitationsRequest['entity'], filter: Filter | undefined): Judging {
  if (!filter) return { by: 'all' }
  return { by: namesOnly(filter, COMMON_FIELDS[entity]) ? 'host' : 'each', filter }
}

/**
 * `chosen_days`: the days whose rows the page shows, each with its number of rows and that of all days through it. Rows
 * stand in the order of their days, so that the rest of the query needs no other day.
 */
export function toChosenDays(query: CitationsQuery): Sql {
  const { page } = query
  return sql`
  day_rows AS MATERIALIZED (
    SELECT day, ${toRowsOfDay(query)} GROUP BY day
  ),
  day_places AS (
    SELECT
      *,
      sum(entities) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS through,
      (SELECT sum(entities) FROM day_rows) AS total_results
    FROM day_rows
  ),
  chosen_days AS MATERIALIZED (
    SELECT *
    FROM day_places
    WHERE through > ${integer(page.offset)} AND through - entities < ${integer(page.offset + page.limit)}
  ),`
}

/** `… AS entities FROM …`: distinct domains or pages of the groups of a day among the citations that pass. */
function toRowsOfDay({ request: { entity, group_by }, state, judging, slices }: CitationsQuery): Sql {
  const passing =
    judging.by === 'all'
      ? sql`in_range`
      : judging.by === 'host'
        ? sql`in_range SEMI JOIN (SELECT host_no FROM site_hosts WHERE passes) AS kept USING (host_no)`
        : sql`(
      SELECT ${slices.groups}host_no, page_no
      FROM ${toCitationFields(sql`in_range`)}
      WHERE ${toPredicate(judging.filter, CITATION_FILTER_FIELDS)}
    )`
  if (entity === 'domain') {
    return sql`count(*) AS entities
    FROM (
      SELECT DISTINCT ${slices.groups}domain
      FROM (SELECT DISTINCT ${slices.groups}host_no FROM ${passing}) JOIN site_hosts USING (host_no)
    )`
  }
  // One bit a page is several times faster than a hash table of pages, but a bit for each page of each day may be too much.
  const isCountedInBits = group_by.length === 1 && state.pageNoMax <= PAGE_BITS_MAX
  return isCountedInBits
    ? sql`bit_count(bitstring_agg(page_no, 0, ${integer(state.pageNoMax)})) AS entities FROM ${passing}`
    : sql`count(*) AS entities FROM (SELECT DISTINCT ${slices.groups}page_no FROM ${passing})`
}

/**
 * `counted`: a row per group and domain or page, of the citations in `cited`. Sums are DOUBLE, which is exact for counts: DuckDB
 * adds integers up in 128 bits, which takes longer.
 */
export function toCounted({ state, request: { entity }, judging, slices: { groups } }: CitationsQuery): Sql {
  if (judging.by === 'each') return toJudged(entity, groups, judging.filter)
  return entity === 'domain'
    ? toCountedDomains(groups, judging.by === 'host', state.hostNoMax)
    : toCountedPages(groups, judging.by === 'host')
}

function toCountedDomains(groups: Sql, isFiltered: boolean, hostNoMax: number): Sql {
  // DuckDB counts by a key whose type has few values in an array: half the time of a hash table.
  const host = hostNoMax <= SHORT_NUMBER_MAX ? sql`host_no::USMALLINT` : sql`host_no`
  return sql`
  counted AS (
    SELECT *, ${toKept(isFiltered)}
    FROM (
      SELECT
        ${groups}domain,
        min(owner_no) AS owner_no,
        sum(host_answers::DOUBLE) AS true_answers,
        sum(host_citations::DOUBLE) AS true_citations${isFiltered ? sql`, any_value(passes) AS passes` : empty}
      FROM (
        SELECT ${groups}${host} AS host_no, count_if(first_of_domain) AS host_answers, count(*) AS host_citations
        FROM cited
        GROUP BY ${groups}${host}
      )
      JOIN site_hosts USING (host_no)
      GROUP BY ${groups}domain
    )
  )`
}

function toCountedPages(groups: Sql, isFiltered: boolean): Sql {
  return sql`
  counted AS (
    SELECT ${groups}page_no, host_no, true_answers, true_citations, ${toKept(isFiltered)}
    FROM (
      SELECT ${groups}page_no, host_no, count_if(first_of_page) AS true_answers, count(*) AS true_citations
      FROM cited
      GROUP BY ${groups}page_no, host_no
    )
    ${isFiltered ? sql`JOIN (SELECT host_no, passes FROM site_hosts) USING (host_no)` : empty}
  )`
}

/** What passes of a row that the filter keeps or drops whole. */
function toKept(isFiltered: boolean): Sql {
  return isFiltered
    ? sql`CASE WHEN passes THEN true_answers ELSE 0 END AS answers, CASE WHEN passes THEN true_citations ELSE 0 END AS citations`
    : sql`true_answers AS answers, true_citations AS citations`
}

/** `counted` where the filter tells citations of one row apart: distinct answers are counted among those that pass. */
function toJudged(entity: CitationsRequest['entity'], groups: Sql, filter: Filter): Sql {
  const entityNo = entity === 'domain' ? sql`domain` : sql`page_no, host_no`
  const first = entity === 'domain' ? sql`first_of_domain` : sql`first_of_page`
  const owner = entity === 'domain' ? sql`min(owner_no) FILTER (passes) AS owner_no,` : empty
  return sql`
  judged AS NOT MATERIALIZED (
    SELECT *, ${toPredicate(filter, CITATION_FILTER_FIELDS)} AS passes
    FROM ${toCitationFields(sql`cited`)}
  ),
  counted AS (
    SELECT
      ${groups}${entityNo},
      ${owner}
      count_if(${first}) AS true_answers,
      count(*) AS true_citations,
      count(DISTINCT answer_no) FILTER (passes) AS answers,
      count_if(passes) AS citations
    FROM judged
    GROUP BY ${groups}${entityNo}
  )`
}

/** Citations with every field that a filter may name. */
function toCitationFields(citations: Sql): Sql {
  return sql`
      ${citations}
      JOIN site_hosts USING (host_no)
      JOIN platforms USING (platform_no)
      JOIN (SELECT prompt_no, prompt_id, prompt_text, category FROM prompts) USING (prompt_no)`
}
