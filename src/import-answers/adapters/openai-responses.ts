import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { isChatCompletion, readChatCompletion } from './chat-completion.ts'
import { type JsonObject, objectsAt, textAt } from './json.ts'
import { engineOfModel, isGrok, providerOf } from './model-family.ts'
import { isResponse, readResponse, readSearches } from './responses-output.ts'
import { defined, hasSources, toSource, uncited } from './sources.ts'

/** OpenAI's Responses API, and chat completions with annotations, which routers speak too (contract/payloads 3). */
export const openaiResponses = defineAdapter({
  format: 'openai-responses',
  // Every vendor and router speaks this shape, so the model's name decides; an unknown one is the operator's to tell.
  platform: (payload) => engineOfModel(textAt(payload, 'model')),
  fallbackPlatform: (payload) => (textAt(payload, 'model') === undefined ? 'chatgpt' : undefined),
  looksFor: 'output[] or choices[] with a message',
  recognises(payload) {
    const model = textAt(payload, 'model')
    const engine = engineOfModel(model)
    if (isGrok(model) || engine === 'perplexity') return false
    if (isResponse(payload)) return !isXaiOrPerplexity(payload, model)
    return isChatCompletion(payload) && (engine === 'chatgpt' || !hasOwnSources(payload))
  },
  toRecords: (payload) => [isResponse(payload) ? toRecord(payload) : toRecordOfChat(payload)],
})

function isXaiOrPerplexity(payload: JsonObject, model: string | undefined): boolean {
  if (objectsAt(payload, 'output').some((item) => item['type'] === 'search_results')) return true
  return model === undefined && Array.isArray(payload['citations'])
}

function hasOwnSources(payload: JsonObject): boolean {
  return hasSources(payload, 'citations') || hasSources(payload, 'search_results')
}

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const reply = readResponse(payload)
  if (isRejection(reply)) return reply
  const citations = defined(reply.annotations.map((link) => toSource(link['url'], link['title'])))
  const { queries, pages } = readSearches(payload)
  return {
    id: toId(payload),
    asked_at: toAskedAt(payload['created_at']),
    text: reply.text,
    citations,
    provider: providerOf(payload),
    model: textAt(payload, 'model'),
    search_queries: queries,
    consulted: uncited(pages, citations),
  }
}

function toRecordOfChat(payload: JsonObject): AnswerRecord | Rejection {
  const reply = readChatCompletion(payload)
  if (isRejection(reply)) return reply
  return {
    id: toId(payload),
    asked_at: toAskedAt(payload['created']),
    text: reply.text,
    citations: defined(reply.annotations.map((link) => toSource(link['url'], link['title']))),
    provider: providerOf(payload),
    model: textAt(payload, 'model'),
  }
}

/** Only an id that OpenAI made: proxies and recorders put the same one on every response. */
function toId(payload: JsonObject): string | undefined {
  const id = textAt(payload, 'id')
  return id !== undefined && /^(?:resp_[0-9a-f]{32,}|chatcmpl-[A-Za-z0-9]{24,})$/.test(id) ? id : undefined
}
