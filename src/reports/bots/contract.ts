import * as v from 'valibot'
import { BOT_TYPES } from '../../domain/enums.ts'
import { sql } from '../../lake/sql.ts'
import { LOG_GROUP_BY_MAX, RANGE_DAYS_MAX } from '../../limits.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Share, Text } from '../../schemas/values.ts'
import { defineContract, LogReportInfo, namesOf, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { defineFilter } from '../filter-schema.ts'
import { inGroups, LAST_VISIT, PAGE_TYPE, PATH_FILTER_FIELDS, TIME_DIMENSIONS } from '../log-dimensions.ts'
import { groupBy, metrics, page, range, sortBy, sortsByRequested, TimeZone, withinRange } from '../request-schema.ts'

export const DIMENSIONS = {
  ...TIME_DIMENSIONS,
  bot_name: inGroups(v.pipe(Text, v.description('The token that the provider documents.')), sql`bot_name`),
  bot_provider: inGroups(Text, sql`bot_provider`),
  bot_type: inGroups(v.picklist(BOT_TYPES), sql`bot_type`),
  path: inGroups(v.pipe(Text, v.description('Without query string.')), sql`path`),
  page_type: PAGE_TYPE,
}

/** `sum` is the metric of a group, over rows of hits (contract/api 5.9); `pages` is counted by where the rows come from. */
export const METRICS = {
  hits: { ...inGroups(Count, sql`hits`), sum: sql`sum(hits)::DOUBLE AS hits` },
  pages: inGroups(v.pipe(Count, v.description('Distinct paths requested.')), sql`pages`),
  verified_share: {
    ...inGroups(
      v.pipe(Share, v.description('Share of hits from addresses that the provider publishes for the bot.')),
      sql`verified_share`,
    ),
    sum: sql`sum(verified_hits)::DOUBLE / sum(hits)::DOUBLE AS verified_share`,
  },
  error_hits: {
    ...inGroups(v.pipe(Count, v.description('Hits answered with 4xx or 5xx.')), sql`error_hits`),
    sum: sql`sum(error_hits)::DOUBLE AS error_hits`,
  },
  last_visit: { ...LAST_VISIT, sum: sql`max(last_time) AS last_time` },
}

/** What `group_by` may name, in the order of the API. */
export const BOT_DIMENSIONS = namesOf(DIMENSIONS)
/** What `metrics` may name, in the order of the API. */
export const BOT_METRICS = namesOf(METRICS)

/** What filters may say of the bot of a hit, over the relation `bots`. */
export const BOT_FILTER_FIELDS = {
  bot_name: { values: 'text', column: sql`bot_name` },
  bot_provider: { values: 'text', column: sql`bot_provider` },
  bot_type: { values: BOT_TYPES, column: sql`bot_type` },
  verified: { values: 'boolean', column: sql`verified` },
} as const
const BotFilter = defineFilter('BotFilter', { ...BOT_FILTER_FIELDS, ...PATH_FILTER_FIELDS })

/** Hits of crawlers and search bots (contract/api 5.9 and 5.10). */
export const BOTS = defineContract({
  name: 'bots',
  operation: 'reportBots',
  tag: 'Reports',
  path: '/v1/reports/bots',
  summary: 'AI crawler and search-bot hits',
  description:
    'Hits from the server logs of the site. Spoofed ones are left out unless the filter mentions `verified`. Days are of `timezone`; `end_date` is at most 400 days after `start_date`.',
  request: v.pipe(
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
  filter: BotFilter,
  info: LogReportInfo,
  row: v.object({ ...whenAsked(DIMENSIONS), ...whenAsked(METRICS) }),
  rowName: 'BotRow',
  enumerations: { BotDimension: BOT_DIMENSIONS, BotMetric: BOT_METRICS },
  example: {
    request: { ...RANGE, timezone: 'Europe/Berlin', group_by: ['bot_name'], metrics: ['hits', 'verified_share'] },
    response: {
      info: { ...INFO, timezone: 'Europe/Berlin' },
      data: [{ bot_name: 'GPTBot', hits: 1840, verified_share: 1 }],
    },
  },
})

export type BotsRequest = RequestOf<typeof BOTS>
export type BotsRow = RowOf<typeof BOTS>
