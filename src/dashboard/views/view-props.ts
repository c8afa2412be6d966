import type { Schemas } from '../../client/client.ts'
import type { DayRange } from '../days.ts'
import type { SettingsPart } from '../names.ts'
import type { ViewState } from '../url-state.ts'

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
