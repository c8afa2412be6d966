import type { Schemas } from '../client/client.ts'
import type { Method } from './methods/anchors.ts'
import { toCount, toCountOf, toInterval, toNumber, toPercent } from './format.ts'

/** The metrics of the visibility report that views show over time, between brands and between ranges. */
export const METRICS = [
  'mention_rate',
  'citation_rate',
  'prompt_coverage',
  'share_of_voice',
  'visibility_score',
] as const
export type Metric = (typeof METRICS)[number]

interface Meaning {
  readonly title: string
  /** The section of the methods that says how it is counted. */
  readonly method: Method
  /** The counts that it is a share of; the score is none. */
  readonly counts: readonly [count: CountMetric, of: CountMetric] | undefined
  /** The greatest value. */
  readonly max: 1 | 100
  /** Says the counts: `named in 412 of 1,440 answers`. */
  readonly sentence: (count: string, of: number) => string
}
type CountMetric = 'answers' | 'named_answers' | 'citing_answers' | 'covered_prompts' | 'prompts' | 'brand_mentions'

export const MEANINGS: Readonly<Record<Metric, Meaning>> = {
  mention_rate: {
    title: 'Mention rate',
    method: 'mention-rate',
    counts: ['named_answers', 'answers'],
    max: 1,
    sentence: (count, of) => `named in ${count} of ${toCountOf(of, 'answer')}`,
  },
  citation_rate: {
    title: 'Citation rate',
    method: 'citation-rate',
    counts: ['citing_answers', 'answers'],
    max: 1,
    sentence: (count, of) => `cited in ${count} of ${toCountOf(of, 'answer')}`,
  },
  prompt_coverage: {
    title: 'Coverage',
    method: 'coverage',
    counts: ['covered_prompts', 'prompts'],
    max: 1,
    sentence: (count, of) => `named at least once for ${count} of ${toCountOf(of, 'prompt')}`,
  },
  share_of_voice: {
    title: 'Share of voice',
    method: 'share-of-voice',
    counts: ['named_answers', 'brand_mentions'],
    max: 1,
    sentence: (count, of) => `${count} of ${toCountOf(of, 'mention')} of all ranked brands`,
  },
  visibility_score: {
    title: 'Visibility Score',
    method: 'score',
    counts: undefined,
    max: 100,
    sentence: (_count, of) => `from 0 to 100, of ${toCountOf(of, 'answer')}`,
  },
}

/** What to ask the visibility report for, to show these metrics with their counts and intervals. */
export function toRequested(metrics: readonly Metric[]): Schemas['VisibilityMetric'][] {
  const names = metrics.flatMap((metric) => [
    metric,
    `${metric}_low` as const,
    `${metric}_high` as const,
    ...(MEANINGS[metric].counts ?? []),
  ])
  return [...new Set<Schemas['VisibilityMetric']>([...names, 'answers'])]
}

/** A metric of a row, with what it stands on. */
export interface Measured {
  /** Null where nothing was asked. */
  readonly value: number | null
  readonly low: number | null
  readonly high: number | null
  /** So many of `of` have what is counted; undefined for the score. */
  readonly count: number | undefined
  /** What the value is a share of; of the score, its answers. */
  readonly of: number
}

/** Reads a metric and its counts from a row that was asked for with `toRequested`. */
export function toMeasured(row: Schemas['VisibilityRow'], metric: Metric): Measured {
  const [count, of] = MEANINGS[metric].counts ?? [undefined, 'answers' as const]
  const hasAnswers = (row.answers ?? 0) > 0
  return {
    value: hasAnswers ? (row[metric] ?? null) : null,
    low: hasAnswers ? (row[`${metric}_low`] ?? null) : null,
    high: hasAnswers ? (row[`${metric}_high`] ?? null) : null,
    count: count === undefined ? undefined : (row[count] ?? 0),
    of: row[of] ?? 0,
  }
}

/** How a value of the metric is written: `29 %`, of the score `41.3`. */
export const toWritten = (metric: Metric): ((value: number) => string) =>
  metric === 'visibility_score' ? toNumber : toPercent

/** What a value stands on, in words: `12 of 41, 18–44 %`. */
export function toBasis({ low, high, count, of }: Measured, metric: Metric): string {
  const counts = count === undefined ? toCountOf(of, 'answer') : `${toCount(count)} of ${toCount(of)}`
  if (low === null || high === null) return counts
  const interval = metric === 'visibility_score' ? `${toNumber(low)}–${toNumber(high)}` : toInterval(low, high)
  return `${counts}, ${interval}`
}
