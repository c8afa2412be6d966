import type { AnswerRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { describe, errorAt, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { toOverviewText, toReferences } from './serpapi-blocks.ts'

/** SearchApi.io's Google pages, AI Overviews and AI Mode, and its copies of chat engines, all in one shape (contract/payloads 9). */
export const searchapi = defineAdapter({
  format: 'searchapi',
  looksFor: 'text_blocks[].answer, reference_links[] or search_metadata.json_url of searchapi.io',
  recognises: isSearchapi,
  toRecords: (payload) => [toRecord(payload)],
})

const ENGINES: ReadonlyMap<string, EngineId> = new Map([
  ['google', 'ai_overviews'],
  ['google_light', 'ai_overviews'],
  ['google_ai_overview', 'ai_overviews'],
  ['google_ai_mode', 'ai_mode'],
  ['chatgpt', 'chatgpt'],
  ['gemini', 'gemini'],
  ['perplexity', 'perplexity'],
  ['bing_copilot', 'copilot'],
])

/** SerpApi's payloads have the same frame, with `references` and `snippet` where these have `reference_links` and `answer`. */
export function isSearchapi(payload: JsonObject): boolean {
  const engine = textAt(objectAt(payload, 'search_parameters'), 'engine')
  if (engine !== undefined && !ENGINES.has(engine)) return false
  const answer = objectAt(payload, 'ai_overview') ?? payload
  const hasOwnShape =
    objectsAt(answer, 'reference_links').some((link) => 'link' in link) ||
    objectsAt(answer, 'text_blocks').some((block) => 'answer' in block || 'items' in block)
  const { json_url: json, html_url: html } = objectAt(payload, 'search_metadata') ?? {}
  return hasOwnShape || [json, html].some((url) => typeof url === 'string' && SEARCHAPI.test(url))
}

const SEARCHAPI = /^https:\/\/(?:www\.)?searchapi\.io\//

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const metadata = objectAt(payload, 'search_metadata')
  const parameters = objectAt(payload, 'search_parameters')
  const engine = textAt(parameters, 'engine')
  const answer = objectAt(payload, 'ai_overview') ?? payload
  const record = {
    asked_at: toAskedAt(metadata?.['created_at']),
    platform: engineOf(engine, payload),
    prompt: textAt(parameters, 'q'),
    citations: [],
    provider: 'searchapi',
  }
  const error = errorAt(answer) ?? errorAt(payload)
  const text = toOverviewText(answer)
  if (saysNoOverview(text ?? error)) return { ...record, text: null }
  const status = textAt(metadata, 'status') ?? 'Success'
  if (status !== 'Success') return { reason: `search_metadata.status: found ${describe(status)}${inBrackets(error)}` }
  // A page of results that shows no overview is a finding; everything else was asked for an answer.
  const isPage = engine === 'google' || engine === 'google_light'
  if (text === null && isPage && answer === payload && error === undefined) return { ...record, text: null }
  if (text === null) return { reason: `the answer was not captured: ${error ?? 'it holds no text'}` }
  return {
    ...record,
    text,
    citations: toReferences(answer, 'reference_links'),
    model: textAt(objectAt(payload, 'response_metadata'), 'model'),
  }
}

/** Without parameters only an `ai_overview` tells whose answer it is. */
function engineOf(engine: string | undefined, payload: JsonObject): EngineId | undefined {
  if (engine !== undefined) return ENGINES.get(engine)
  return 'ai_overview' in payload ? 'ai_overviews' : undefined
}

function inBrackets(error: string | undefined): string {
  return error === undefined ? '' : ` (${error})`
}
