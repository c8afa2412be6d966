import { Actions } from './actions/actions.tsx'
import { Prompts } from './prompts/prompts.tsx'
import { Scan } from './scan/scan.tsx'
import { Settings } from './settings/settings.tsx'

/** What is decided and set. */
export const WORK_VIEWS = { prompts: Prompts, actions: Actions, scan: Scan, settings: Settings }
