import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { describe, errorAt, isObject, type JsonObject, objectAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { isSearchapi } from './searchapi.ts'
import { toOverviewText, toReferences } from './serpapi-blocks.ts'

/** SerpApi's Google search with its AI Overview, also fetched by page token (contract/payloads 8.1). */
export const serpapiAiOverview = defineAdapter({
  format: 'serpapi-ai-overview',
  platform: () => 'ai_overviews',
  looksFor: 'search_parameters.engine "google" or ai_overview.text_blocks[]',
  recognises(payload) {
    if (isSearchapi(payload)) return false
    const engine = objectAt(payload, 'search_parameters')?.['engine']
    if (engine !== undefined) return engine === 'google' || engine === 'google_ai_overview'
    const overview = objectAt(payload, 'ai_overview')
    return overview !== undefined && ['text_blocks', 'page_token', 'error'].some((key) => key in overview)
  },
  toRecords: (payload) => [toRecord(payload)],
})

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const { ai_overview: overview, search_parameters: parameters, search_metadata: metadata } = payload
  const search = isObject(parameters) ? parameters : undefined
  const record = {
    asked_at: toAskedAt(isObject(metadata) ? metadata['created_at'] : undefined),
    prompt: textAt(search, 'q'),
    citations: [],
    provider: 'serpapi',
  }
  const error = errorAt(payload)
  const text = isObject(overview) ? toOverviewText(overview) : null
  if (saysNoOverview(text ?? (isObject(overview) ? errorAt(overview) : undefined) ?? error))
    return { ...record, text: null }
  const status = isObject(metadata) ? textAt(metadata, 'status') : undefined
  if (status !== undefined && status !== 'Success') {
    return { reason: `search_metadata.status: found ${describe(status)}${error === undefined ? '' : ` (${error})`}` }
  }
  if (!isObject(overview)) {
    if (error !== undefined && !error.includes(NO_RESULTS)) return { reason: `the search failed: ${error}` }
    // A search that shows no overview is a finding; a page token that brought none is a failed fetch.
    return search?.['engine'] === 'google_ai_overview'
      ? { reason: 'no AI Overview came for the page token' }
      : { ...record, text: null }
  }
  if (text === null) {
    return { reason: `ai_overview was not captured: it holds ${errorAt(overview) ?? 'no text'}` }
  }
  return { ...record, text, citations: toReferences(overview, 'references') }
}

/** SerpApi reports an empty page of results as an error too. */
const NO_RESULTS = "hasn't returned any results"
