import * as v from 'valibot'
import { sql } from '../../lake/sql.ts'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Order, Share, Text } from '../../schemas/values.ts'
import { ANSWER_DIMENSIONS, AnswerFilter } from '../answer-dimensions.ts'
import { defineContract, namesOf, ReportInfo, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { AnyBrands, Brands } from '../brands-schema.ts'
import { CLUSTERED, COUNTED } from './certainty.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, withinRange } from '../request-schema.ts'

/**
 * `formula` is the metric of a brand in a group (contract/api 5.4), over the group's `answers` and `prompts` and the
 * brand's `named` and `cited` answers, `covered` prompts and `positions`; NULL counts are 0. `order` is what rows are
 * sorted by, where it isn't the metric itself.
 */
const USUAL = {
  visibility_score: {
    type: v.pipe(
      v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      v.description('45 % mention rate, 35 % citation rate, 20 % prompt coverage.'),
    ),
    sql: sql`visibility_score`,
    formula: sql`45 * mention_rate + 35 * citation_rate + 20 * prompt_coverage`,
    // Scores are compared rounded (contract/api 5.3), so that sums equal on paper tie.
    order: sql`compared_score`,
  },
  mention_rate: {
    type: v.pipe(Share, v.description('Share of answers naming the brand.')),
    sql: sql`mention_rate`,
    formula: sql`CASE WHEN answers = 0 THEN 0 ELSE coalesce(named, 0) / answers END`,
  },
  citation_rate: {
    type: v.pipe(Share, v.description('Share of answers linking to a site of the brand.')),
    sql: sql`citation_rate`,
    formula: sql`CASE WHEN answers = 0 THEN 0 ELSE coalesce(cited, 0) / answers END`,
  },
  prompt_coverage: {
    type: v.pipe(Share, v.description('Share of prompts where the brand was named at least once.')),
    sql: sql`prompt_coverage`,
    formula: sql`CASE WHEN prompts = 0 THEN 0 ELSE coalesce(covered, 0) / prompts END`,
  },
  average_position: {
    type: v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(1))),
      v.description('Average order of first mention when named; null when never named.'),
    ),
    sql: sql`average_position`,
    formula: sql`positions / named`,
  },
  share_of_voice: {
    type: v.pipe(Share, v.description('Share of all brand mentions, own brand and confirmed competitors.')),
    sql: sql`share_of_voice`,
    // `voices`: mentions of all ranked brands, and of this one.
    formula: sql`CASE WHEN voices = 0 THEN 0 ELSE named / voices END`,
  },
  answers: {
    type: v.pipe(Count, v.description('Answers in the group.')),
    sql: sql`answers`,
    formula: sql`count(*)::DOUBLE`,
  },
}
/** Every metric: first those that a row has unless the request says which. */
export const METRICS = { ...USUAL, ...COUNTED, ...CLUSTERED }
/** What `metrics` may name, in the order of the API. */
export const VISIBILITY_METRICS = namesOf(METRICS)
/** What it is unless given. */
export const USUAL_VISIBILITY_METRICS = namesOf(USUAL)
export type VisibilityMetric = keyof typeof METRICS

/** What rows may be sorted by: all that has an order. */
export const VISIBILITY_SORT_FIELDS = VISIBILITY_METRICS.filter((name) => name !== 'reliability')

/** How visible brands are in answers (contract/api 5.1 to 5.5 and 5.15). */
export const VISIBILITY = defineContract({
  name: 'visibility',
  operation: 'reportVisibility',
  tag: 'Reports',
  path: '/v1/reports/visibility',
  summary: 'How visible brands are in answers',
  description: 'One row per brand and group. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  request: v.pipe(
    strictObject({
      ...range,
      group_by: groupBy(namesOf(ANSWER_DIMENSIONS)),
      metrics: metrics(VISIBILITY_METRICS, USUAL_VISIBILITY_METRICS),
      brands: Brands,
      filter: v.optional(AnswerFilter.schema),
      sort: sortBy(VISIBILITY_SORT_FIELDS),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
    sortsByRequested(['metrics']),
  ),
  filter: AnswerFilter,
  requestParts: { Brands: AnyBrands },
  info: ReportInfo,
  row: v.object({
    ...whenAsked(ANSWER_DIMENSIONS),
    brand: v.object({ name: Text, owned: v.boolean() }),
    rank: v.pipe(
      v.nullable(Order),
      v.description('By Visibility Score among the own brand and confirmed competitors; null for an unconfirmed one.'),
    ),
    ...whenAsked(METRICS),
  }),
  rowName: 'VisibilityRow',
  enumerations: { VisibilityMetric: VISIBILITY_METRICS, VisibilitySortField: VISIBILITY_SORT_FIELDS },
  example: {
    request: {
      ...RANGE,
      metrics: ['visibility_score', 'mention_rate'],
      filter: { field: 'platform', op: 'is', value: 'chatgpt' },
    },
    response: {
      info: INFO,
      data: [{ brand: { name: 'Acme', owned: true }, rank: 2, visibility_score: 41.25, mention_rate: 0.5 }],
    },
  },
})

export type VisibilityRequest = RequestOf<typeof VISIBILITY>
export type VisibilityRow = RowOf<typeof VISIBILITY>
