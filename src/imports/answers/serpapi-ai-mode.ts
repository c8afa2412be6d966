import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from './asked-at.ts'
import { errorAt, type JsonObject, objectAt, textAt } from './json.ts'
import { toOverviewText, toReferences } from './serpapi-blocks.ts'

/** SerpApi's Google AI Mode (payloads.md 6). */
export const serpapiAiMode = defineAdapter({
  format: 'serpapi-ai-mode',
  platform: () => 'ai_mode',
  looksFor: 'search_parameters.engine "google_ai_mode" or text_blocks[]',
  recognises(payload) {
    const engine = objectAt(payload, 'search_parameters')?.['engine']
    if (engine !== undefined) return engine === 'google_ai_mode'
    return Array.isArray(payload['text_blocks']) || typeof payload['reconstructed_markdown'] === 'string'
  },
  toRecords: (payload) => [toRecord(payload)],
})

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const error = errorAt(payload)
  const metadata = objectAt(payload, 'search_metadata')
  const status = textAt(metadata, 'status') ?? 'Success'
  const text = toOverviewText(payload)
  if (status !== 'Success' || text === null) {
    return { reason: `the AI Mode answer was not captured: ${error ?? (status === 'Success' ? 'no text' : status)}` }
  }
  return {
    asked_at: toAskedAt(metadata?.['created_at']),
    prompt: textAt(objectAt(payload, 'search_parameters'), 'q'),
    text,
    citations: toReferences(payload),
    provider: 'serpapi',
  }
}
