import * as v from 'valibot'
import { OWNERS, SOURCE_KINDS } from '../../domain/enums.ts'
import { sql, texts } from '../../lake/sql.ts'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Order, Share, Text } from '../../schemas/values.ts'
import { ANSWER_DIMENSIONS, ANSWER_FILTER_FIELDS } from '../answer-dimensions.ts'
import { always, defineContract, namesOf, ReportInfo, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { defineFilter } from '../filter-schema.ts'
import { groupBy, metrics, page, range, withinRange } from '../request-schema.ts'

const { date, week, month, platform, prompt, model, provider } = ANSWER_DIMENSIONS
export const DIMENSIONS = { date, week, month, platform, prompt, model, provider }

/** What is ranked: a row has the one that `entity` names. */
export const ENTITIES = {
  domain: {
    type: v.pipe(Text, v.description('Registrable domain, when `entity` is `domain`.')),
    sql: sql`domain`,
  },
  page: {
    type: v.pipe(Text, v.description('Cited URL without tracking parameters, when `entity` is `page`.')),
    sql: sql`page`,
  },
}

/** What each row has: the owner by what is decided today, and the place among the true counts of its group. */
const COLUMNS = {
  owner: { type: v.picklist(OWNERS), sql: sql`${texts(OWNERS)}[owner_no] AS owner` },
  /** Made from the row's domain when it is shown. */
  source_kind: { type: v.picklist(SOURCE_KINDS), sql: sql`domain` },
  rank: {
    type: v.pipe(Order, v.description('By answers, within the group; ties share one.')),
    sql: sql`rank::DOUBLE AS rank`,
  },
}

/** Counts of what passes the filter; the share is of the true counts (contract/api 5.6). */
export const METRICS = {
  answers: { type: v.pipe(Count, v.description('Distinct answers citing it.')), sql: sql`answers::DOUBLE AS answers` },
  citations: {
    type: v.pipe(Count, v.description('Every link, counted separately.')),
    sql: sql`citations::DOUBLE AS citations`,
  },
  citation_share: {
    type: v.pipe(Share, v.description('Share of all citations in the group.')),
    sql: sql`citation_share`,
  },
}
/** What `metrics` may name, in the order of the API. */
export const CITATION_METRICS = namesOf(METRICS)
export type CitationMetric = keyof typeof METRICS

/** Columns that every query selects. */
export const { owner: OWNER, rank: RANK } = COLUMNS

/** What a filter on citations may name, over citations joined with `site_hosts`, `platforms` and `prompts`. */
export const CITATION_FILTER_FIELDS = {
  ...ANSWER_FILTER_FIELDS,
  domain: { values: 'text', column: sql`domain` },
  owner: { values: OWNERS, column: sql`owner` },
  source_kind: { values: SOURCE_KINDS, column: sql`source_kind` },
} as const
const CitationFilter = defineFilter('CitationFilter', CITATION_FILTER_FIELDS)

/** What the engines linked to (contract/api 5.5 and 5.6). */
export const CITATIONS = defineContract({
  name: 'citations',
  operation: 'reportCitations',
  tag: 'Reports',
  path: '/v1/reports/citations',
  summary: 'Cited domains or pages',
  description:
    'What the engines linked to, ranked by the number of answers citing it. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  request: v.pipe(
    strictObject({
      ...range,
      entity: v.optional(v.pipe(v.picklist(namesOf(ENTITIES)), v.description('What is ranked.')), 'domain'),
      group_by: groupBy(namesOf(DIMENSIONS)),
      metrics: metrics(CITATION_METRICS),
      filter: v.optional(CitationFilter.schema),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  filter: CitationFilter,
  info: ReportInfo,
  row: v.object({ ...whenAsked(DIMENSIONS), ...whenAsked(ENTITIES), ...always(COLUMNS), ...whenAsked(METRICS) }),
  rowName: 'CitationRow',
  enumerations: { CitationDimension: namesOf(DIMENSIONS), CitationMetric: CITATION_METRICS },
  example: {
    request: { ...RANGE, filter: { not: { field: 'owner', op: 'is', value: 'own' } } },
    response: {
      info: INFO,
      data: [
        {
          domain: 'wikipedia.org',
          owner: 'third_party',
          source_kind: 'reference',
          rank: 1,
          answers: 120,
          citations: 164,
          citation_share: 0.08,
        },
      ],
    },
  },
})

export type CitationsRequest = RequestOf<typeof CITATIONS>
export type CitationRow = RowOf<typeof CITATIONS>
