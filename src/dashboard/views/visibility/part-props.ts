import type { Schemas } from '../../api.ts'
import type { Loading } from '../../use-answer.ts'
import type { ViewProps } from '../index.ts'
import type { Questions } from './questions.ts'
import type { Settings } from './settings.ts'

/** What each part of the view is given; `brands` are the leaderboard's rows, which the chart needs too. */
export interface PartProps extends ViewProps {
  readonly settings: Settings
  readonly questions: Questions
  readonly brands: Loading<readonly Schemas['VisibilityRow'][]>
}
