import type { AnyEndpoint } from '../endpoint.ts'
import { getMe } from './get-me.ts'
import { getOpenApi } from './get-openapi.ts'
import { getSite } from './get-site.ts'
import { listActions } from './list-actions.ts'
import { listAnswers } from './list-answers.ts'
import { listCompetitors } from './list-competitors.ts'
import { listPlatforms } from './list-platforms.ts'
import { listPrompts } from './list-prompts.ts'
import { listSites } from './list-sites.ts'
import { reportBots } from './report-bots.ts'
import { reportCitations } from './report-citations.ts'
import { reportReferrals } from './report-referrals.ts'
import { reportSentiment } from './report-sentiment.ts'
import { reportVisibility } from './report-visibility.ts'
import { setPromptStatus } from './set-prompt-status.ts'
import { updatePrompts } from './update-prompts.ts'

/** Every operation of the API, in the order of contract/api 12. Nothing else is served under `/v1`. */
export const ENDPOINTS: readonly AnyEndpoint[] = [
  getOpenApi,
  getMe,
  listSites,
  getSite,
  listCompetitors,
  listPlatforms,
  listPrompts,
  updatePrompts,
  setPromptStatus,
  listActions,
  reportVisibility,
  reportBots,
  reportReferrals,
  reportCitations,
  reportSentiment,
  listAnswers,
]
