import * as v from 'valibot'
import { LOG_GROUP_BY_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { BOT_DIMENSIONS, BOT_METRICS } from '../../reports/request.ts'
import { defineEndpoint } from '../endpoint.ts'
import { answerReport, findReportFaults } from '../report-endpoint.ts'
import { BotFilter } from '../schemas/filters.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, TimeZone, withinRange } from '../schemas/request.ts'
import { BotRow, LogReportInfo, paged } from '../schemas/resources.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { INFO, RANGE } from './examples.ts'

export const reportBots = defineEndpoint({
  operation: 'reportBots',
  tag: 'Reports',
  method: 'POST',
  path: '/v1/reports/bots',
  access: 'read',
  summary: 'AI crawler and search-bot hits',
  description:
    'Hits from the server logs of the site. Spoofed ones are left out unless the filter mentions `verified`. Days are of `timezone`; `end_date` is at most 400 days after `start_date`.',
  body: v.pipe(
    strictObject({
      ...range,
      timezone: TimeZone,
      group_by: groupBy(BOT_DIMENSIONS, LOG_GROUP_BY_MAX),
      metrics: metrics(BOT_METRICS),
      filter: v.optional(BotFilter.schema),
      sort: sortBy([...BOT_DIMENSIONS, ...BOT_METRICS]),
      ...page({ max: 500, default: 100 }),
    }),
    withinRange(RANGE_DAYS_MAX.logs),
    sortsByRequested(['group_by', 'metrics']),
  ),
  response: paged(LogReportInfo, BotRow),
  example: {
    body: { ...RANGE, timezone: 'Europe/Berlin', group_by: ['bot_name'], metrics: ['hits', 'verified_share'] },
    response: {
      info: { ...INFO, timezone: 'Europe/Berlin' },
      data: [{ bot_name: 'GPTBot', hits: 1840, verified_share: 1 }],
    },
  },
  findFaults: findReportFaults,
  handle: (context, { body }) => answerReport(context, 'bots', body),
})
