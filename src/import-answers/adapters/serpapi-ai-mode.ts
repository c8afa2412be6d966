import type { AnswerRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { errorAt, type JsonObject, objectAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { isSearchapi } from './searchapi.ts'
import { toOverviewText, toReferences } from './serpapi-blocks.ts'

/** SerpApi's Google AI Mode, and Bing's Copilot in the same shape (contract/payloads 8.2). */
export const serpapiAiMode = defineAdapter({
  format: 'serpapi-ai-mode',
  platform: (payload) => ENGINES.get(engineOf(payload)),
  // Blocks alone may be an overview's as well.
  fallbackPlatform: () => 'ai_mode',
  looksFor: 'search_parameters.engine "google_ai_mode" or "bing_copilot", or text_blocks[]',
  recognises(payload) {
    if (isSearchapi(payload)) return false
    const engine = engineOf(payload)
    if (engine !== undefined) return ENGINES.has(engine)
    return Array.isArray(payload['text_blocks']) || typeof payload['reconstructed_markdown'] === 'string'
  },
  toRecords: (payload) => [toRecord(payload)],
})

const ENGINES: ReadonlyMap<unknown, EngineId> = new Map([
  ['google_ai_mode', 'ai_mode'],
  ['bing_copilot', 'copilot'],
])

function engineOf(payload: JsonObject): unknown {
  return objectAt(payload, 'search_parameters')?.['engine']
}

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const error = errorAt(payload)
  const metadata = objectAt(payload, 'search_metadata')
  const status = textAt(metadata, 'status') ?? 'Success'
  const text = withHeader(payload, toOverviewText(payload))
  const record = {
    asked_at: toAskedAt(metadata?.['created_at']),
    prompt: textAt(objectAt(payload, 'search_parameters'), 'q'),
    citations: [],
    provider: 'serpapi',
  }
  if (saysNoOverview(text ?? error)) return { ...record, text: null }
  if (status !== 'Success' || text === null) {
    return { reason: `the answer was not captured: ${error ?? (status === 'Success' ? 'no text' : status)}` }
  }
  return { ...record, text, citations: toReferences(payload, 'references') }
}

/** Copilot's answer begins with a heading of its own, beside the blocks. */
function withHeader(payload: JsonObject, text: string | null): string | null {
  const header = textAt(payload, 'header')
  return header === undefined || text === null || text.includes(header) ? text : `# ${header}\n\n${text}`
}
