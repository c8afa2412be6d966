import type { ComponentType } from 'preact'
import type { Schemas } from '../api.ts'
import type { DayRange } from '../days.ts'
import type { SettingsPart } from '../names.ts'
import type { ViewName, ViewState } from '../url-state.ts'
import { Actions } from './actions/actions.tsx'
import { Answers } from './answers/answers.tsx'
import { Competitors } from './competitors/competitors.tsx'
import { Crawlers } from './crawlers/crawlers.tsx'
import { Overview } from './overview/overview.tsx'
import { Prompts } from './prompts/prompts.tsx'
import { Sources } from './sources/sources.tsx'
import { Tone } from './tone/tone.tsx'
import { Scan } from './scan/scan.tsx'
import { Visibility } from './visibility/visibility.tsx'
import { Settings } from './settings/settings.tsx'
import { Visitors } from './visitors/visitors.tsx'

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

/** The views by their names. */
export const VIEWS: Partial<Record<ViewName, ComponentType<ViewProps>>> = {
  overview: Overview,
  answers: Answers,
  sources: Sources,
  competitors: Competitors,
  tone: Tone,
  visibility: Visibility,
  prompts: Prompts,
  crawlers: Crawlers,
  visitors: Visitors,
  actions: Actions,
  scan: Scan,
}

/** All parts of the settings. */
export const SettingsView: ComponentType<SettingsProps> = Settings
