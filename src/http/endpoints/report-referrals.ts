import * as v from 'valibot'
import { LOG_GROUP_BY_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { REFERRAL_DIMENSIONS, REFERRAL_METRICS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport, findReportFaults } from '../report-endpoint.ts'
import { ReferralFilter } from '../schemas/filters.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, TimeZone, withinRange } from '../schemas/request.ts'
import { LogReportInfo, paged, ReferralRow } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, RANGE } from './examples.ts'

export const reportReferrals = defineEndpoint({
  operation: 'reportReferrals',
  tag: 'Reports',
  method: 'POST',
  path: '/v1/reports/referrals',
  access: 'read',
  summary: 'Visitors arriving from answer engines',
  description:
    'Page views that an answer engine referred, from the server logs of the site. Days are of `timezone`; `end_date` is at most 400 days after `start_date`.',
  body: v.pipe(
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
  response: paged(LogReportInfo, ReferralRow),
  example: {
    body: { ...RANGE, group_by: ['referral_source'], sort: { field: 'visits' } },
    response: {
      info: { ...INFO, timezone: 'UTC' },
      data: [{ referral_source: 'chatgpt', visits: 312, landing_pages: 41, last_visit: '2026-11-20T07:03:09Z' }],
    },
  },
  findFaults: findReportFaults,
  handle: (context, { body }) => answerReport(context, 'referrals', body),
})
