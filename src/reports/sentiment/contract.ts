import * as v from 'valibot'
import { sql, type Sql } from '../../lake/sql.ts'
import { RANGE_DAYS_MAX } from '../../limits.ts'
import { strictObject } from '../../schemas/strict-object.ts'
import { Count, Share } from '../../schemas/values.ts'
import { ANSWER_DIMENSIONS, AnswerFilter } from '../answer-dimensions.ts'
import { always, defineContract, namesOf, ReportInfo, type RequestOf, type RowOf, whenAsked } from '../contract.ts'
import { toWilson } from '../rate-interval.ts'
import { INFO, RANGE } from '../../schemas/examples.ts'
import { addedMetrics, groupBy, page, range, withinRange } from '../request-schema.ts'

/** Of answers naming the own brand; without any the shares are 0 (contract/api 5.7). */
const share = (count: Sql): Sql => sql`CASE WHEN answers_mentioning = 0 THEN 0 ELSE ${count} / answers_mentioning END`

/** What each row has. */
export const COLUMNS = {
  positive: {
    type: v.pipe(Share, v.description('Share of answers naming the own brand.')),
    sql: sql`${share(sql`positives`)} AS positive`,
  },
  neutral: { type: Share, sql: sql`${share(sql`(answers_mentioning - positives - negatives)`)} AS neutral` },
  negative: { type: Share, sql: sql`${share(sql`negatives`)} AS negative` },
  answers_mentioning: {
    type: v.pipe(Count, v.description('Answers naming the own brand: the denominator of the three shares.')),
    sql: sql`answers_mentioning`,
  },
  answers: { type: v.pipe(Count, v.description('All answers in the group.')), sql: sql`answers` },
}

/** The counts behind the shares, and how many of them are a judgement at all. */
const COUNTS = {
  positive_answers: { type: Count, sql: sql`positives AS positive_answers` },
  neutral_answers: {
    type: v.pipe(Count, v.description('Those not judged count here too.')),
    sql: sql`answers_mentioning - positives - negatives AS neutral_answers`,
  },
  negative_answers: { type: Count, sql: sql`negatives AS negative_answers` },
  judged_answers: {
    type: v.pipe(Count, v.description('Answers naming the own brand that came with a sentiment or were given one.')),
    sql: sql`judged_answers`,
  },
}

function end(name: string, formula: Sql) {
  const [, share = '', side = ''] = /^(.*)_(low|high)$/.exec(name) ?? []
  const told = `The ${side} end of the 95 % interval of \`${share}\`; null with fewer than 2 clusters of answers.`
  return { type: v.pipe(v.nullable(Share), v.description(told)), sql: sql`${formula} AS ${sql.identifier(name)}` }
}

const positive = toWilson(sql`positives / answers_mentioning`, sql`effective_positives`)
const neutral = toWilson(sql`neutrals / answers_mentioning`, sql`effective_neutrals`)
const negative = toWilson(sql`negatives / answers_mentioning`, sql`effective_negatives`)

/** Ends of the shares' intervals (contract/api 5.15), over the effective answers of each, NULL with fewer than 2 clusters. */
export const INTERVALS = {
  positive_low: end('positive_low', positive.low),
  positive_high: end('positive_high', positive.high),
  neutral_low: end('neutral_low', neutral.low),
  neutral_high: end('neutral_high', neutral.high),
  negative_low: end('negative_low', negative.low),
  negative_high: end('negative_high', negative.high),
}

export const METRICS = { ...COUNTS, ...INTERVALS }
/** What `metrics` may name, in the order of the API. */
export const SENTIMENT_METRICS = namesOf(METRICS)
export type SentimentMetric = keyof typeof METRICS

/** How answers describe the own brand (contract/api 5.7 and 5.15). */
export const SENTIMENT = defineContract({
  name: 'sentiment',
  operation: 'reportSentiment',
  tag: 'Reports',
  path: '/v1/reports/sentiment',
  summary: 'How answers describe the own brand',
  description:
    'Shares of the answers naming the own brand; an answer not judged counts as neutral, and `judged_answers` says how many are judged. Days are UTC; `end_date` is at most 92 days after `start_date`.',
  request: v.pipe(
    strictObject({
      ...range,
      group_by: groupBy(namesOf(ANSWER_DIMENSIONS)),
      metrics: addedMetrics(SENTIMENT_METRICS),
      filter: v.optional(AnswerFilter.schema),
      ...page({ max: 100, default: 50 }),
    }),
    withinRange(RANGE_DAYS_MAX.answers),
  ),
  filter: AnswerFilter,
  info: ReportInfo,
  row: v.object({ ...whenAsked(ANSWER_DIMENSIONS), ...always(COLUMNS), ...whenAsked(METRICS) }),
  rowName: 'SentimentRow',
  enumerations: { SentimentMetric: SENTIMENT_METRICS },
  example: {
    request: { ...RANGE, group_by: ['platform'] },
    response: {
      info: INFO,
      data: [
        { platform: 'chatgpt', positive: 0.5, neutral: 0.375, negative: 0.125, answers_mentioning: 40, answers: 90 },
      ],
    },
  },
})

export type SentimentRequest = RequestOf<typeof SENTIMENT>
export type SentimentRow = RowOf<typeof SENTIMENT>
