import * as v from 'valibot'
import { sql } from '../../lake/sql.ts'
import { LOG_GROUP_BY_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Text } from '../../schemas/values.ts'
import { defineContract, LogReportInfo, namesOf, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { defineFilter } from '../filter-schema.ts'
import { inGroups, LAST_VISIT, PAGE_TYPE, PATH_FILTER_FIELDS, TIME_DIMENSIONS } from '../log-dimensions.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, TimeZone, withinRange } from '../request-schema.ts'

export const DIMENSIONS = {
  ...TIME_DIMENSIONS,
  referral_source: inGroups(v.pipe(Text, v.description('The engine; an open list.')), sql`referral_source`),
  path: inGroups(v.pipe(Text, v.description('Landing page, without query string.')), sql`path`),
  page_type: PAGE_TYPE,
}

/** `sum` is the metric of a group, over rows of visits (contract/api 5.12); `landing_pages` is counted from their paths. */
export const METRICS = {
  visits: { ...inGroups(Count, sql`visits`), sum: sql`sum(visits)::DOUBLE AS visits` },
  landing_pages: inGroups(v.pipe(Count, v.description('Distinct landing paths.')), sql`landing_pages`),
  last_visit: { ...LAST_VISIT, sum: sql`max(last_time) AS last_time` },
}

/** What `group_by` may name, in the order of the API. */
export const REFERRAL_DIMENSIONS = namesOf(DIMENSIONS)
/** What `metrics` may name, in the order of the API. */
export const REFERRAL_METRICS = namesOf(METRICS)

/** What filters may say of the engine that referred, over the relation `visit_sources`. */
export const VISIT_FILTER_FIELDS = { referral_source: { values: 'text', column: sql`referral_source` } } as const
const ReferralFilter = defineFilter('ReferralFilter', { ...VISIT_FILTER_FIELDS, ...PATH_FILTER_FIELDS })

/** Page views that an answer engine referred (contract/api 5.10 and 5.12). */
export const REFERRALS = defineContract({
  name: 'referrals',
  operation: 'reportReferrals',
  tag: 'Reports',
  path: '/v1/reports/referrals',
  summary: 'Visitors arriving from answer engines',
  description:
    'Page views that an answer engine referred, from the server logs of the site. Days are of `timezone`; `end_date` is at most 400 days after `start_date`.',
  request: v.pipe(
    strictObject({
      ...range,
      timezone: TimeZone,
      group_by: groupBy(REFERRAL_DIMENSIONS, LOG_GROUP_BY_MAX),
      metrics: metrics(REFERRAL_METRICS),
      filter: v.optional(ReferralFilter.schema),
      sort: sortBy([...REFERRAL_DIMENSIONS, ...REFERRAL_METRICS]),
      ...page({ max: 500, default: 100 }),
    }),
    withinRange(RANGE_DAYS_MAX.logs),
    sortsByRequested(['group_by', 'metrics']),
  ),
  filter: ReferralFilter,
  info: LogReportInfo,
  row: v.object({ ...whenAsked(DIMENSIONS), ...whenAsked(METRICS) }),
  rowName: 'ReferralRow',
  enumerations: { ReferralDimension: REFERRAL_DIMENSIONS, ReferralMetric: REFERRAL_METRICS },
  example: {
    request: { ...RANGE, group_by: ['referral_source'], sort: { field: 'visits' } },
    response: {
      info: { ...INFO, timezone: 'UTC' },
      data: [{ referral_source: 'chatgpt', visits: 312, landing_pages: 41, last_visit: '2026-11-20T07:03:09Z' }],
    },
  },
})

export type ReferralsRequest = RequestOf<typeof REFERRALS>
export type ReferralsRow = RowOf<typeof REFERRALS>
