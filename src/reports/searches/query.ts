import type { Row } from '../../lake/cells.ts'
import { empty, integer, join, type Sql, sql } from '../../lake/sql.ts'
import { SLICE_FILTER_FIELDS } from '../answer-dimensions.ts'
import { toAnswerSlices, toGroupFields } from '../answer-slices.ts'
import { namesOf, toTyped } from '../contract.ts'
import type { Walk } from '../cursor.ts'
import { splitByFields, toPredicate } from '../filter.ts'
import { toOwnMentions } from '../measured-brands.ts'
import type { Filter } from '../request.ts'
import { type PageBounds, type ReportContext, type ReportRun, runReport, type SiteState } from '../run.ts'
import {
  DIMENSIONS,
  METRICS,
  SEARCH_FILTER_FIELDS,
  SEARCHES,
  type SearchesRequest,
  type SearchesRow,
} from './contract.ts'

/** `POST /v1/reports/searches` (contract/api 5.16 and 12.5). Throws what `runReport` throws. */
export function reportSearches(
  context: ReportContext,
  siteId: string,
  request: SearchesRequest,
  walk?: Walk,
): ReportRun<SearchesRow> {
  return runReport(context, {
    endpoint: SEARCHES.name,
    siteId,
    request,
    walk,
    datasets: ['answers', 'mentions'],
    toQuery: (state, page) => toQuery(state, request, page),
    toRow: () => (row) => toRow(row, request),
  })
}

/** White space of Unicode at both ends. */
const ENDS = sql`'^[\\s\\v\\x{FEFF}\\pZ]+|[\\s\\v\\x{FEFF}\\pZ]+$'`
const SEARCHES_OF_ANSWER = sql`list_filter(
        list_distinct(
          list_transform(from_json(search_queries, '["VARCHAR"]'), lambda query: lower(regexp_replace(query, ${ENDS}, '', 'g')))
        ),
        lambda query: query <> ''
      )`

/** `searched` has the answers with a search, before anything is said of searches: shares are of them. */
function toQuery(state: SiteState, request: SearchesRequest, page: PageBounds): Sql {
  const { group_by, metrics, filter, sort } = request
  const { ofThose, others } = splitByFields(filter, namesOf(SLICE_FILTER_FIELDS))
  const slices = toAnswerSlices(state, { ...request, filter: ofThose }, others)
  const byGroup = slices.groupList ? sql`GROUP BY ${slices.groupList}` : empty
  const sorting = sort
    ? [sort.dir === 'asc' ? sql`${sql.identifier(sort.field)} ASC` : sql`${sql.identifier(sort.field)} DESC`]
    : []
  const order = [...sorting, sql`answers DESC`, sql`search`, ...group_by.map((dimension) => DIMENSIONS[dimension].tie)]
  const columns = [
    ...group_by.map((dimension) => DIMENSIONS[dimension].sql),
    sql`search`,
    ...metrics.map((metric) => METRICS[metric].sql),
  ]
  return sql`
WITH${slices.ctes}${toOwnMentions(state)}
  asked AS (
    SELECT *, ${SEARCHES_OF_ANSWER} AS searches
    FROM ${state.filesOf('answers')} ${slices.restriction}
    WHERE search_queries IS NOT NULL AND ${state.inRange('answers')}
  ),
  searched AS MATERIALIZED (
    SELECT day, platform_no, prompt_no, answer_no, searches${group_by.includes('category') ? sql`, category` : empty}
    FROM asked
    WHERE len(searches) > 0
  ),
  totals AS (
    SELECT ${slices.groups}count(*)::DOUBLE AS searching
    FROM searched
    ${byGroup}
  ),
  each_search AS (
    SELECT searched.*, unnest(searches) AS search, own_mentions.answer_no IS NOT NULL AS names_own
    FROM searched LEFT JOIN own_mentions USING (answer_no)
  ),
  counted AS MATERIALIZED (
    SELECT
      ${slices.groups}search,
      count(*)::DOUBLE AS answers,
      count(DISTINCT prompt_no)::DOUBLE AS prompts,
      count_if(names_own)::DOUBLE AS own_answers
    FROM each_search ${others ? toPassing(group_by, others) : empty}
    GROUP BY ${slices.groups}search
  ),
  shown AS (
    SELECT counted.*, searching
    FROM counted JOIN totals ON ${slices.sameGroup(sql`counted`, sql`totals`)}
  )
SELECT
  ${join(columns, sql`, `)},
  (SELECT count(*) FROM counted)::DOUBLE AS total_results
FROM shown ${slices.names}
ORDER BY ${join(order, sql`, `)}
LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)}`
}

/** Keeps the searches that pass, each by its own answer. */
function toPassing(groupBy: SearchesRequest['group_by'], filter: Filter): Sql {
  // Grouped by category, the rows have it already.
  const category = groupBy.includes('category') ? empty : sql`, category`
  return sql`
    JOIN (SELECT prompt_no, prompt_id, prompt_text${category} FROM prompts) USING (prompt_no) JOIN platforms USING (platform_no)
    WHERE ${toPredicate(filter, SEARCH_FILTER_FIELDS)}`
}

function toRow(row: Row, { group_by, metrics }: SearchesRequest): SearchesRow {
  const out: Record<string, unknown> = { ...toGroupFields(row, group_by), search: row['search'] }
  for (const metric of metrics) out[metric] = row[metric]
  return toTyped(SEARCHES, out)
}
