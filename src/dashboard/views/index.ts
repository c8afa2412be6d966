import type { ComponentType } from 'preact'
import type { Schemas } from '../api.ts'
import type { DayRange } from '../days.ts'
import type { ViewName, ViewState } from '../url-state.ts'
import { Overview } from './overview.tsx'

/** What every view is given. `state` is what the URL says, `range` its days with the defaults filled in. */
export interface ViewProps {
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly range: DayRange
  /** Undefined where nothing is compared. */
  readonly compared: DayRange | undefined
}

/** The views by their names. */
export const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = { overview: Overview }
