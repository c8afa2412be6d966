import * as v from 'valibot'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { CITATION_METRICS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport, findReportFaults } from '../report-endpoint.ts'
import { CitationFilter } from '../schemas/filters.ts'
import { groupBy, metrics, page, range, withinRange } from '../schemas/request.ts'
import { CitationRow, paged, ReportInfo } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, RANGE } from './examples.ts'

export const reportCitations = defineEndpoint({
  operation: 'reportCitations',
  tag: 'Reports',
  method: 'POST',
  path: '/v1/reports/citations',
  access: 'read',
  summary: 'Cited domains or pages',
  description:
    'What the engines linked to, ranked by the number of answers citing it. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  body: v.pipe(
    strictObject({
      ...range,
      entity: v.optional(v.pipe(v.picklist(['domain', 'page']), v.description('What is ranked.')), 'domain'),
      group_by: groupBy(['date', 'platform', 'prompt']),
      metrics: metrics(CITATION_METRICS),
      filter: v.optional(CitationFilter.schema),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  response: paged(ReportInfo, CitationRow),
  example: {
    body: { ...RANGE, filter: { not: { field: 'owner', op: 'is', value: 'own' } } },
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
  findFaults: findReportFaults,
  handle: (context, { body }) => answerReport(context, 'citations', body),
})
