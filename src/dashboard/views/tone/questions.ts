import type { Question, Schemas } from '../../api.ts'
import { toAnswerFilter } from '../../filters.ts'
import type { ViewProps } from '../index.ts'

/** Shares come always; the rest is what they stand on. */
const METRICS: readonly Schemas['SentimentMetric'][] = [
  ...(['positive_answers', 'neutral_answers', 'negative_answers', 'judged_answers'] as const),
  ...(['positive_low', 'positive_high', 'neutral_low', 'neutral_high', 'negative_low', 'negative_high'] as const),
]

/** What the view of the tone asks. */
export function toQuestions({ state, site, range, compared }: ViewProps) {
  const filter = toAnswerFilter(state)
  const ask = (body: object): Question => ({
    method: 'POST',
    path: '/reports/sentiment',
    body: { site_id: site.id, ...range, metrics: METRICS, ...(filter === undefined ? {} : { filter }), ...body },
  })
  return {
    all: ask({}),
    before: compared && ask(compared),
    days: ask({ group_by: ['date'] }),
    daysByEngine: ask({ group_by: ['date', 'platform'] }),
    engines: ask({ group_by: ['platform'] }),
    prompts: ask({ group_by: ['prompt'] }),
  }
}
