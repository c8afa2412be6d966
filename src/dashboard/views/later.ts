import type { ComponentType } from 'preact'
import type { ViewName } from '../url-state.ts'
import { Actions } from './actions/actions.tsx'
import { Crawlers } from './crawlers/crawlers.tsx'
import type { SettingsProps, ViewProps } from './index.ts'
import { Prompts } from './prompts/prompts.tsx'
import { Scan } from './scan/scan.tsx'
import { Settings } from './settings/settings.tsx'
import { Visitors } from './visitors/visitors.tsx'

/** What a visit seldom begins with: a script of its own, loaded when some of it is first shown. */
export const LATER: {
  readonly views: Partial<Record<ViewName, ComponentType<ViewProps>>>
  /** All parts of the settings. */
  readonly Settings: ComponentType<SettingsProps>
} = {
  views: {
    crawlers: Crawlers,
    visitors: Visitors,
    prompts: Prompts,
    actions: Actions,
    scan: Scan,
  },
  Settings,
}
