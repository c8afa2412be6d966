import { toSignFlipPValue } from '../../statistics/sign-flip.ts'
import type { StudentT } from '../../statistics/student-t.ts'
import { toInterval } from '../../statistics/interval.ts'
import type { BrandCell } from './cells.ts'
import {
  addChanges,
  type Change,
  compareCoverage,
  compareRates,
  PROMPTS_MIN,
  PROMPTS_OF_T,
  ROUNDING,
} from './change.ts'
import { CHANGE_METRICS_MAX, type ChangeMetric } from './contract.ts'
import { compareOnePrompt } from './one-prompt.ts'

/** A change as far as one row tells it. Null what can't be computed, or what too little data would not carry. */
export interface Estimate {
  readonly value: number | null
  readonly previous: number | null
  readonly change: number | null
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
}

const UNKNOWN: Estimate = { value: null, previous: null, change: null, low: null, high: null, p: null }

/** The change of a metric over cells of one brand, with answers in both ranges or not (contract/api 5.14). */
export function estimate(
  cells: readonly BrandCell[],
  metric: ChangeMetric,
  ofOnePrompt: boolean,
  studentT: StudentT,
): Estimate {
  const common = cells.filter(isCommon)
  if (ofOnePrompt) {
    const found = compareOnePrompt(common)
    if (found === null) return UNKNOWN
    const { value, previous, change, spread } = found
    return {
      value,
      previous,
      change,
      ...(spread === null ? NOTHING : judge(metric, { change, ...spread }, studentT)),
    }
  }
  const found = compare(common, metric)
  if (found === null) return UNKNOWN
  const { value, previous, change, variance, df, prompts } = found
  if (variance === null || prompts.length < PROMPTS_MIN) return { value, previous, change, ...NOTHING }
  const parts = prompts.length < PROMPTS_OF_T ? prompts.map(({ part }) => part) : undefined
  return { value, previous, change, ...judge(metric, { change, variance, df, parts }, studentT) }
}

const NOTHING = { low: null, high: null, p: null }

/** Whether a cell has answers in both ranges. */
export function isCommon({ previous, current }: BrandCell): boolean {
  return previous.answers > 0 && current.answers > 0
}

function compare(cells: readonly BrandCell[], metric: ChangeMetric): Change | null {
  const byPrompt = cells.map(({ promptNo, previous, current }) => ({ prompt: promptNo, previous, current }))
  if (metric === 'prompt_coverage') return compareCoverage(byPrompt)
  const rates = compareRates(byPrompt)
  if (metric !== 'visibility_score') return rates
  const citations = compareRates(
    byPrompt.map(({ prompt, previous, current }) => ({ prompt, previous: previous.cited, current: current.cited })),
  )
  const coverage = compareCoverage(byPrompt)
  if (rates === null || citations === null || coverage === null) return null
  return addChanges([
    [45, rates],
    [35, citations],
    [20, coverage],
  ])
}

interface Spread {
  readonly change: number
  readonly variance: number
  readonly df: number
  /** Signs of these are flipped for p, where it isn't Student's. */
  readonly parts?: readonly number[] | undefined
}

function judge(
  metric: ChangeMetric,
  { change, variance, df, parts }: Spread,
  studentT: StudentT,
): Pick<Estimate, 'low' | 'high' | 'p'> {
  const max = CHANGE_METRICS_MAX[metric]
  const deviation = Math.sqrt(variance)
  if (deviation < ROUNDING * max) return { low: null, high: null, p: Math.abs(change) < ROUNDING * max ? 1 : 0 }
  const { low, high } = toInterval(change, studentT.criticalValue(df) * deviation, { low: -max, high: max })
  const p = parts === undefined ? studentT.toPValue(change / deviation, df) : toSignFlipPValue(parts)
  return { low, high, p }
}
