import type { ViewProps } from '../index.ts'
import type { Questions } from './questions.ts'
import type { Answers } from './use-overview.ts'

/** What each part of the overview is given. */
export interface PartProps extends ViewProps {
  readonly questions: Questions
  readonly answers: Answers
}
