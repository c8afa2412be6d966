import type { SentimentMetric, SentimentRequest } from '../../../src/reports/sentiment/contract.ts'
import { groupAnswers } from './groups.ts'
import { byGroupFields, byTime, descending, type Group, inOrderOf } from './order.ts'
import type { Truth } from './truth.ts'

interface Row extends Group {
  readonly positive: number
  readonly neutral: number
  readonly negative: number
  readonly answers_mentioning: number
  readonly answers: number
  readonly measured: Record<SentimentMetric, number>
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
