import type { CardMetric, CardOutcome, CardVerdict } from '../domain/action-card.ts'
import { CARD_ANSWERS_MIN } from '../limits.ts'
import type { Measurement } from './measure.ts'
import { SIGNIFICANCE_LEVEL, toPValue } from './two-proportions.ts'
import { ofTotal, toCount } from './wording.ts'

/** The measured part of an outcome. */
export type MeasuredOutcome = Pick<CardOutcome, 'before' | 'after' | 'verdict' | 'summary'>

/** The state of a card whose after-window is open. `dueDay` is the day on which the result is due. */
export function toMeasuring(metric: CardMetric, before: Measurement, dueDay: string): MeasuredOutcome {
  return {
    before: before.count,
    after: null,
    verdict: null,
    summary: `Measuring until ${dueDay}: ${VERBS[metric]} ${ofTotal(before.count.hits, before.count.total, NOUNS[metric])} before.`,
  }
}

/** The result of a card whose after-window has closed. */
export function toResult(metric: CardMetric, before: Measurement, after: Measurement): MeasuredOutcome {
  const verdict = toVerdict(before, after)
  const counts =
    `${VERBS[metric]} ${ofTotal(after.count.hits, after.count.total, NOUNS[metric])} after, ` +
    `${toCount(before.count.hits)} of ${toCount(before.count.total)} before`
  const answers =
    metric === 'coverage' ? ` (${toCount(after.answers)} answers after, ${toCount(before.answers)} before)` : ''
  return { before: before.count, after: after.count, verdict, summary: `${WORDS[verdict]}: ${counts}${answers}.` }
}

function toVerdict(before: Measurement, after: Measurement): CardVerdict {
  if (before.answers < CARD_ANSWERS_MIN || after.answers < CARD_ANSWERS_MIN) return 'not_enough_data'
  if (toPValue(after.count, before.count) >= SIGNIFICANCE_LEVEL) return 'no_change'
  const isHigher = after.count.hits / after.count.total > before.count.hits / before.count.total
  return isHigher ? 'improved' : 'declined'
}

const VERBS: Readonly<Record<CardMetric, string>> = { mention: 'named in', citation: 'cited in', coverage: 'named for' }
const NOUNS: Readonly<Record<CardMetric, string>> = { mention: 'answer', citation: 'answer', coverage: 'prompt' }
const WORDS: Readonly<Record<CardVerdict, string>> = {
  improved: 'Improved',
  no_change: 'No significant change',
  declined: 'Declined',
  not_enough_data: `Not enough data, ${CARD_ANSWERS_MIN} answers on each side are needed`,
}
