import type { Change } from '../reports/changes/change.ts'
import { toSignFlipPValue } from '../statistics/sign-flip.ts'
import type { StudentT } from '../statistics/student-t.ts'

/** Prompts below which nothing is concluded, and below which signs are flipped in the place of Student's t. */
const PROMPTS_MIN = 6
const PROMPTS_OF_T = 12

/**
 * How often chance alone brings a difference as large as that of two sides over the same prompts: null with fewer than six of
 * them (docs/methods.md 5 and 6).
 */
export function toPairedPValue({ change, variance, df, prompts }: Change, studentT: StudentT): number | null {
  if (variance === null || prompts.length < PROMPTS_MIN) return null
  if (variance === 0) return change === 0 ? 1 : 0
  if (prompts.length < PROMPTS_OF_T) return toSignFlipPValue(prompts.map(({ part }) => part))
  return studentT.toPValue(change / Math.sqrt(variance), df)
}
