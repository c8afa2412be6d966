import * as v from 'valibot'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { VISIBILITY_METRICS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport, findReportFaults } from '../report-endpoint.ts'
import { AnswerFilter } from '../schemas/filters.ts'
import { Brands, groupBy, metrics, page, range, sortBy, sortsByRequested, withinRange } from '../schemas/request.ts'
import { paged, ReportInfo, VisibilityRow } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, RANGE } from './examples.ts'

export const reportVisibility = defineEndpoint({
  operation: 'reportVisibility',
  tag: 'Reports',
  method: 'POST',
  path: '/v1/reports/visibility',
  access: 'read',
  summary: 'How visible brands are in answers',
  description: 'One row per brand and group. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  body: v.pipe(
    strictObject({
      ...range,
      group_by: groupBy(['date', 'platform', 'prompt', 'category']),
      metrics: metrics(VISIBILITY_METRICS),
      brands: Brands,
      filter: v.optional(AnswerFilter.schema),
      sort: sortBy(VISIBILITY_METRICS),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
    sortsByRequested(['metrics']),
  ),
  response: paged(ReportInfo, VisibilityRow),
  example: {
    body: {
      ...RANGE,
      metrics: ['visibility_score', 'mention_rate'],
      filter: { field: 'platform', op: 'is', value: 'chatgpt' },
    },
    response: {
      info: INFO,
      data: [{ brand: { name: 'Acme', owned: true }, rank: 2, visibility_score: 41.25, mention_rate: 0.5 }],
    },
  },
  findFaults: findReportFaults,
  handle: (context, { body }) => answerReport(context, 'visibility', body),
})
