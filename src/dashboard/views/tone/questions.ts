import type { Schemas } from '../../../client/client.ts'
import { toAbout, toReport } from '../../report-questions.ts'
import type { ViewProps } from '../view-props.ts'

/** Shares come always; the rest is what they stand on. */
const METRICS: readonly Schemas['SentimentMetric'][] = [
  ...(['positive_answers', 'neutral_answers', 'negative_answers', 'judged_answers'] as const),
  ...(['positive_low', 'positive_high', 'neutral_low', 'neutral_high', 'negative_low', 'negative_high'] as const),
]

/** What the view of the tone asks. */
export function toQuestions(props: ViewProps) {
  const about = { ...toAbout(props), metrics: METRICS }
  const ask = (body: object) => toReport('sentiment', { ...about, ...body })
  return {
    all: ask({}),
    before: props.compared && ask(props.compared),
    days: ask({ group_by: ['date'] }),
    daysByEngine: ask({ group_by: ['date', 'platform'] }),
    engines: ask({ group_by: ['platform'] }),
    prompts: ask({ group_by: ['prompt'] }),
  }
}
