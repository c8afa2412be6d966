import type { CardMetric, CardVerdict } from '../domain/action-card.ts'
import { CARD_ANSWERS_MIN } from '../limits.ts'
import {
  type Cell,
  compareCoverage,
  compareRates,
  type Change,
  PROMPTS_MIN,
  ROUNDING,
  toWeight,
} from '../reports/changes/change.ts'
import { median } from '../statistics/rate.ts'
import type { StudentT } from '../statistics/student-t.ts'
import { toWelchDegrees } from '../statistics/welch.ts'
import { toPlaceboRank } from './placebo.ts'
import { SIGNIFICANCE_LEVEL } from './two-proportions.ts'

/** So many target prompts are too few for a spread of their own: they are ranked among untouched ones. */
const PLACEBO_PROMPTS_MAX = 5
/** Untouched prompts that a rank of at most 5 % takes, and those that a spread takes. */
const UNTOUCHED_MIN = { placebo: 19, spread: PROMPTS_MIN } as const

/** How a card's prompts changed, beside those that nobody worked on. */
export interface CardComparison {
  readonly verdict: CardVerdict
  /** Change of the card's metric, −1 to 1, over target prompts with answers before and after; null without any. */
  readonly change: number | null
  /** What the change is held against: that of the untouched prompts together, or their median where a card has few prompts. */
  readonly untouched: { readonly change: number; readonly prompts: number; readonly isMedian: boolean } | null
  /** How often chance alone brings as large a difference; null without a verdict. */
  readonly p: number | null
  /** What there is too little of, when that is so; `needed` prompts would do. */
  readonly missing: { readonly what: 'answers' | 'untouched prompts'; readonly needed: number } | null
}

/**
 * A card's verdict: the change of its target prompts less that of the untouched ones, on the same engines and days
 * (docs/methods.md 9). Cells hold the answers before (`previous`) and after (`current`).
 */
export function toComparison(
  metric: CardMetric,
  { targets, untouched }: { readonly targets: readonly Cell[]; readonly untouched: readonly Cell[] },
  studentT: StudentT,
): CardComparison {
  const compare = metric === 'coverage' ? compareCoverage : compareRates
  const target = compare(targets)
  const others = compare(untouched)
  const answers = (of: (cell: Cell) => number): number => targets.reduce((sum, cell) => sum + of(cell), 0)
  const isEnough =
    Math.min(
      answers((cell) => cell.previous.n),
      answers((cell) => cell.current.n),
    ) >= CARD_ANSWERS_MIN
  const isFew = (target?.prompts.length ?? 0) <= PLACEBO_PROMPTS_MAX
  const changes = isFew ? listChanges(untouched, compare) : []
  const held = others && {
    change: isFew ? (median(changes) ?? 0) : others.change,
    prompts: others.prompts.length,
    isMedian: isFew,
  }
  const found = { verdict: 'not_enough_data', change: target?.change ?? null, untouched: held, p: null } as const
  if (target === null || !isEnough) return { ...found, missing: { what: 'answers', needed: CARD_ANSWERS_MIN } }
  const needed = isFew ? UNTOUCHED_MIN.placebo : UNTOUCHED_MIN.spread
  if (others === null || others.prompts.length < needed) {
    return { ...found, missing: { what: 'untouched prompts', needed } }
  }
  const { difference, p } = isFew
    ? rankAmong(listChanges(targets, compare), changes)
    : toDifference({ ...target, cells: targets, metric }, { ...others, cells: untouched, metric }, studentT)
  const isSignificant = p <= SIGNIFICANCE_LEVEL && difference !== 0
  const verdict = isSignificant ? (difference > 0 ? 'improved' : 'declined') : 'no_change'
  return { ...found, verdict, p, missing: null }
}

/** The changes of single prompts, in the order of their names. */
function listChanges(cells: readonly Cell[], compare: (cells: readonly Cell[]) => Change | null): readonly number[] {
  const prompts = [...Map.groupBy(cells, ({ prompt }) => String(prompt))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return prompts.flatMap(([, ofPrompt]) => compare(ofPrompt)?.change ?? [])
}

function rankAmong(targets: readonly number[], untouched: readonly number[]): { difference: number; p: number } {
  const { distance, p } = toPlaceboRank(targets, untouched)
  return { difference: distance, p }
}

type Side = Pick<Change, 'change' | 'variance' | 'df'> & {
  readonly cells: readonly Cell[]
  readonly metric: CardMetric
}

function toDifference(target: Side, others: Side, studentT: StudentT): { difference: number; p: number } {
  const difference = target.change - others.change
  const deviation = Math.sqrt((target.variance ?? 0) + (others.variance ?? 0))
  if (deviation < ROUNDING) return { difference, p: Math.abs(difference) < ROUNDING ? 1 : 0 }
  const degrees = toWelchDegrees(toEstimated(target), toEstimated(others))
  return { difference, p: studentT.toPValue(difference / deviation, degrees) }
}

/**
 * A side's variance with the degrees of freedom of as many prompts as would count as much if all counted alike: where a few
 * prompts have most of the answers, the variance is known less well than the number of prompts says.
 */
function toEstimated({ variance, df, cells, metric }: Side): { variance: number; degrees: number } {
  const weights = new Map<Cell['prompt'], number>()
  for (const cell of cells) weights.set(cell.prompt, (weights.get(cell.prompt) ?? 0) + toWeight(cell))
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0)
  const squares = [...weights.values()].reduce((total, weight) => total + weight ** 2, 0)
  const prompts = metric === 'coverage' ? df + 1 : sum ** 2 / squares
  return { variance: variance ?? 0, degrees: Math.max(1, prompts - 1) }
}
