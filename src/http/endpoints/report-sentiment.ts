import * as v from 'valibot'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { SENTIMENT_METRICS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport, findReportFaults } from '../report-endpoint.ts'
import { AnswerFilter } from '../schemas/filters.ts'
import { counts, groupBy, page, range, withinRange } from '../schemas/request.ts'
import { paged, ReportInfo, SentimentRow } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, RANGE } from './examples.ts'

export const reportSentiment = defineEndpoint({
  operation: 'reportSentiment',
  tag: 'Reports',
  method: 'POST',
  path: '/v1/reports/sentiment',
  access: 'read',
  summary: 'How answers describe the own brand',
  description:
    'Shares of the answers naming the own brand; an answer not judged counts as neutral, and `judged_answers` says how many are judged. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  body: v.pipe(
    strictObject({
      ...range,
      group_by: groupBy(['date', 'platform', 'prompt', 'category']),
      metrics: counts(SENTIMENT_METRICS),
      filter: v.optional(AnswerFilter.schema),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  response: paged(ReportInfo, SentimentRow),
  example: {
    body: { ...RANGE, group_by: ['platform'] },
    response: {
      info: INFO,
      data: [
        { platform: 'chatgpt', positive: 0.5, neutral: 0.375, negative: 0.125, answers_mentioning: 40, answers: 90 },
      ],
    },
  },
  findFaults: findReportFaults,
  handle: (context, { body }) => answerReport(context, 'sentiment', body),
})
