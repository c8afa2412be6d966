import type { SentimentMetric, SentimentRequest } from '../../../src/reports/sentiment/contract.ts'
import { groupAnswers } from './groups.ts'
import { byGroupFields, byTime, descending, type Group, inOrderOf } from './order.ts'
import { type Ends, findDesignEffect, findEffective, findWilson, toClusters } from './certainty.ts'
import type { OracleAnswer, Truth } from './truth.ts'

interface Row extends Group {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
  readonly answers_mentioning: number
  readonly answers: number
  readonly measured: Record<SentimentMetric, number | null>
}

/** Rows of the sentiment report, counted one by one (contract/api 5.7 and 12.5). */
export function expectSentiment(truth: Truth, request: SentimentRequest): object[] {
  const groups = groupAnswers(truth, request)
  if (groups.length === 0 && request.group_by.length === 0) groups.push({ group: {}, answers: [] })
  const rows = groups.map(({ group, answers }): Row => {
    const naming = answers.filter(({ brands }) => brands.some(({ isOwn }) => isOwn))
    const shareOf = (wanted: string): number =>
      naming.length === 0
        ? 0
        : naming.filter(({ sentiment }) => (sentiment ?? 'neutral') === wanted).length / naming.length
    return {
      ...group,
      positive: shareOf('positive'),
      neutral: shareOf('neutral'),
      negative: shareOf('negative'),
      answers_mentioning: naming.length,
      answers: answers.length,
      measured: {
        positive_answers: naming.filter(({ sentiment }) => sentiment === 'positive').length,
        neutral_answers: naming.filter(({ sentiment }) => sentiment === null || sentiment === 'neutral').length,
        negative_answers: naming.filter(({ sentiment }) => sentiment === 'negative').length,
        judged_answers: naming.filter(({ sentiment }) => sentiment !== null).length,
        ...findToneIntervals(naming, request.group_by),
      },
    }
  })
  const order = inOrderOf<Row>(
    byTime,
    descending((row) => row.answers_mentioning),
    byGroupFields(request.group_by),
  )
  return rows.sort(order).map(({ measured, ...row }) => ({
    ...row,
    ...Object.fromEntries((request.metrics ?? []).map((metric) => [metric, measured[metric]])),
  }))
}

const TONES = ['positive', 'neutral', 'negative'] as const

/** Of answers naming the own brand, the intervals of the three shares (contract/api 5.15). */
function findToneIntervals(naming: readonly OracleAnswer[], groupBy: readonly string[]) {
  const clusters = toClusters(naming, groupBy)
  const isOf = (tone: string) => (answer: OracleAnswer) => (answer.sentiment ?? 'neutral') === tone
  const effects = TONES.map((tone) => findDesignEffect(clusters, isOf(tone)))
  const [positive, neutral, negative] = TONES.map((tone, place) => {
    const others = effects.filter((_, other) => other !== place)
    const rate = naming.filter(isOf(tone)).length / naming.length
    return findWilson(rate, findEffective(clusters, effects[place]!, others))
  }) as [Ends, Ends, Ends]
  return {
    positive_low: positive.low,
    positive_high: positive.high,
    neutral_low: neutral.low,
    neutral_high: neutral.high,
    negative_low: negative.low,
    negative_high: negative.high,
  }
}
