import * as v from 'valibot'
import { sql } from '../../lake/sql.ts'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Share, Text } from '../../schemas/values.ts'
import { ANSWER_DIMENSIONS, SLICE_FILTER_FIELDS } from '../answer-dimensions.ts'
import { defineContract, namesOf, ReportInfo, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { defineFilter } from '../filter-schema.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, withinRange } from '../request-schema.ts'

const { platform, prompt, category } = ANSWER_DIMENSIONS
export const DIMENSIONS = { platform, prompt, category }

/** Of one search in one group (contract/api 5.16), over its answers and the group's answers with a search. */
export const METRICS = {
  answers: { type: v.pipe(Count, v.description('Answers for which the engine searched this.')), sql: sql`answers` },
  prompts: { type: v.pipe(Count, v.description('Prompts of those answers.')), sql: sql`prompts` },
  share: {
    type: v.pipe(Share, v.description("Share of the group's answers with any search.")),
    sql: sql`answers / searching AS share`,
  },
  own_named: {
    type: v.pipe(Share, v.description('Share of the answers with this search that name the own brand.')),
    sql: sql`own_answers / answers AS own_named`,
  },
}
export const SEARCH_DIMENSIONS = namesOf(DIMENSIONS)
export const SEARCH_METRICS = namesOf(METRICS)

/** What filters may say: of answers, and of a search as it is shown. */
export const SEARCH_FILTER_FIELDS = {
  ...SLICE_FILTER_FIELDS,
  search: { values: 'text', column: sql`search` },
} as const
const SearchFilter = defineFilter('SearchFilter', SEARCH_FILTER_FIELDS)

/** What engines searched for while they answered (contract/api 5.16). */
export const SEARCHES = defineContract({
  name: 'searches',
  operation: 'reportSearches',
  tag: 'Reports',
  path: '/v1/reports/searches',
  summary: 'What engines searched for while they answered',
  description:
    'One row per search and group, from the search queries stored with answers; trimmed, in lower case, counted once an answer. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  request: v.pipe(
    strictObject({
      ...range,
      group_by: groupBy(SEARCH_DIMENSIONS),
      metrics: metrics(SEARCH_METRICS),
      filter: v.optional(SearchFilter.schema),
      sort: sortBy(SEARCH_METRICS),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
    sortsByRequested(['metrics']),
  ),
  filter: SearchFilter,
  info: ReportInfo,
  row: v.object({ ...whenAsked(DIMENSIONS), search: Text, ...whenAsked(METRICS) }),
  rowName: 'SearchRow',
  enumerations: { SearchDimension: SEARCH_DIMENSIONS, SearchMetric: SEARCH_METRICS },
  example: {
    request: { ...RANGE, filter: { field: 'platform', op: 'is', value: 'perplexity' } },
    response: {
      info: INFO,
      data: [{ search: 'best project management tools 2026', answers: 12, prompts: 3, share: 0.24, own_named: 0.5 }],
    },
  },
})

export type SearchesRequest = RequestOf<typeof SEARCHES>
export type SearchesRow = RowOf<typeof SEARCHES>
export type SearchMetric = keyof typeof METRICS
