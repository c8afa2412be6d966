import type { CardMetric, CardOutcome, CardVerdict } from '../domain/action-card.ts'
import type { Measurement } from './measure.ts'
import type { CardComparison } from './verdict.ts'
import type { WindowBefore } from './windows.ts'
import { daysTo, inPoints, ofTotal, toCount, withInterval } from './wording.ts'

/** The measured part of an outcome. */
export type MeasuredOutcome = Pick<CardOutcome, 'before' | 'after' | 'verdict' | 'summary'>

export interface MeasurementBefore extends Measurement {
  readonly window: WindowBefore
}

/** The state of a card whose after-window is open. `dueDay` is the day on which the result is due. */
export function toMeasuring(metric: CardMetric, before: MeasurementBefore, dueDay: string): MeasuredOutcome {
  return {
    before: before.count,
    after: null,
    verdict: null,
    summary: `Measuring until ${dueDay}: ${VERBS[metric]} ${toCounts(metric, before)} before.${toDays(before)}`,
  }
}

/** The result of a card whose after-window has closed. */
export function toResult(
  metric: CardMetric,
  {
    before,
    after,
    comparison,
  }: { readonly before: MeasurementBefore; readonly after: Measurement; readonly comparison: CardComparison },
): MeasuredOutcome {
  const { count } = before
  const counts =
    `${VERBS[metric]} ${toCounts(metric, after)} after, ` +
    `${withInterval(`${toCount(count.hits)} of ${toCount(count.total)}`, before.interval)} before`
  const answers =
    metric === 'coverage' ? ` (${toCount(after.answers)} answers after, ${toCount(before.answers)} before)` : ''
  return {
    before: count,
    after: after.count,
    verdict: comparison.verdict,
    summary: `${toHeading(comparison)}: ${counts}${answers}${toUntouched(comparison)}.${toDays(before)}`,
  }
}

function toCounts(metric: CardMetric, { count, interval }: Measurement): string {
  return withInterval(ofTotal(count.hits, count.total, NOUNS[metric]), interval)
}

function toHeading({ verdict, missing }: CardComparison): string {
  if (missing === null) return WORDS[verdict]
  const needed =
    missing.what === 'answers'
      ? `${missing.needed} answers on each side are needed`
      : `${missing.needed} ${missing.what} to hold it against are needed`
  return `${WORDS[verdict]}, ${needed}`
}

function toUntouched({ untouched, missing }: CardComparison): string {
  if (untouched === null) return missing?.what === 'answers' ? '' : '; no untouched prompt has answers on both sides'
  const { change, prompts, isMedian } = untouched
  const noun = prompts === 1 ? 'untouched prompt' : 'untouched prompts'
  return `; ${toCount(prompts)} ${noun} changed by ${inPoints(change)}${isMedian ? ' (median)' : ''}`
}

function toDays({ answers, window }: MeasurementBefore): string {
  if (answers === 0) return ''
  const flatter = window.mayFlatter
    ? ', in which the card was found: that may flatter it, since what is picked for being low rises by itself'
    : ''
  return ` Before are ${daysTo(window)}${flatter}.`
}

const VERBS: Readonly<Record<CardMetric, string>> = { mention: 'named in', citation: 'cited in', coverage: 'named for' }
const NOUNS: Readonly<Record<CardMetric, string>> = { mention: 'answer', citation: 'answer', coverage: 'prompt' }
const WORDS: Readonly<Record<CardVerdict, string>> = {
  improved: 'Improved',
  no_change: 'No significant change',
  declined: 'Declined',
  not_enough_data: 'Not enough data',
}
