import type { ViewProps } from '../view-props.ts'
import type { Questions } from './questions.ts'
import type { Replies } from './use-overview.ts'

/** What each part of the overview is given. */
export interface PartProps extends ViewProps {
  readonly questions: Questions
  readonly replies: Replies
}
