import type { ComponentType } from 'preact'
import type { Schemas } from '../api.ts'
import type { DayRange } from '../days.ts'
import type { SettingsPart } from '../names.ts'
import type { ViewName, ViewState } from '../url-state.ts'
import { Answers } from './answers/answers.tsx'
import { Competitors } from './competitors/competitors.tsx'
import { Overview } from './overview/overview.tsx'
import { Sources } from './sources/sources.tsx'
import { Tone } from './tone/tone.tsx'
import { Visibility } from './visibility/visibility.tsx'

/** What every view is given. `state` is what the URL says, `range` its days with the defaults filled in. */
export interface ViewProps {
  readonly state: ViewState
  readonly site: Schemas['Site']
  readonly range: DayRange
  /** Undefined where nothing is compared. */
  readonly compared: DayRange | undefined
}

/** What the settings are given. A member never sees a part that is the owners'. */
export interface SettingsProps {
  readonly part: SettingsPart
  readonly sites: readonly Schemas['Site'][]
}

/** The views that come with the first script; the others are in `later.ts`. */
export const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = {
  overview: Overview,
  answers: Answers,
  sources: Sources,
  competitors: Competitors,
  tone: Tone,
  visibility: Visibility,
}
