import { REPORTS } from '../../reports/index.ts'
import type { AnyEndpoint } from '../endpoint.ts'
import { toEndpoint } from '../report-endpoint.ts'
import { createPrompts } from './create-prompts.ts'
import { getMe } from './get-me.ts'
import { getOpenApi } from './get-openapi.ts'
import { getQuality } from './get-quality.ts'
import { getSite } from './get-site.ts'
import { listActions } from './list-actions.ts'
import { listCompetitors } from './list-competitors.ts'
import { listPlatforms } from './list-platforms.ts'
import { listPrompts } from './list-prompts.ts'
import { listSites } from './list-sites.ts'
import { setPromptStatus } from './set-prompt-status.ts'
import { updatePrompts } from './update-prompts.ts'

/** Every operation of the API, in the order of contract/api 12. Nothing else is served under `/v1`. */
export const ENDPOINTS: readonly AnyEndpoint[] = [
  getOpenApi,
  getMe,
  listSites,
  getSite,
  getQuality,
  listCompetitors,
  listPlatforms,
  listPrompts,
  createPrompts,
  updatePrompts,
  setPromptStatus,
  listActions,
  ...REPORTS.map(toEndpoint),
]
