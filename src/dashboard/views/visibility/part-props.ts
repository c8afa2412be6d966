import type { Schemas } from '../../../client/client.ts'
import type { Loading } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import type { Questions } from './questions.ts'
import type { Choices } from './choices.ts'

/** What each part of the view is given; `brands` are the leaderboard's rows, which the chart needs too. */
export interface PartProps extends ViewProps {
  readonly choices: Choices
  readonly questions: Questions
  readonly brands: Loading<readonly Schemas['VisibilityRow'][]>
}
