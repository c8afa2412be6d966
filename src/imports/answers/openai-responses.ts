import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from './asked-at.ts'
import { isChatCompletion, readChatCompletion } from './chat-completion.ts'
import { type JsonObject, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { engineOfModel, isForeignToOpenai, isGrok } from './model-family.ts'
import { isResponse, readResponse } from './responses-output.ts'
import { defined, hasSources, toSource, toSources, uncited } from './sources.ts'

/** OpenAI's Responses API, and chat completions with annotations, which routers speak too (payloads.md 1). */
export const openaiResponses = defineAdapter({
  format: 'openai-responses',
  // Routers serve every vendor in this shape; another vendor's answer isn't ChatGPT's unless the operator says so.
  platform(payload) {
    const model = textAt(payload, 'model')
    return model !== undefined && isForeignToOpenai(model) ? engineOfModel(model) : 'chatgpt'
  },
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
  const actions = objectsAt(payload, 'output')
    .filter((item) => item['type'] === 'web_search_call')
    .map((item) => objectAt(item, 'action'))
  const queries = actions.flatMap((action) => textsAt(action, 'queries') ?? textsAt(action, 'query') ?? [])
  return {
    id: toId(payload),
    asked_at: toAskedAt(payload['created_at']),
    text: reply.text,
    citations,
    provider: 'openai',
    model: textAt(payload, 'model'),
    search_queries: queries.length > 0 ? queries : undefined,
    consulted: uncited(
      actions.flatMap((action) => toSources(action?.['sources'])),
      citations,
    ),
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
    provider: textAt(payload, 'provider') ?? 'openai',
    model: textAt(payload, 'model'),
  }
}

/** Only an id that OpenAI made: proxies and recorders put the same one on every response. */
function toId(payload: JsonObject): string | undefined {
  const id = textAt(payload, 'id')
  return id !== undefined && /^(?:resp_[0-9a-f]{32,}|chatcmpl-[A-Za-z0-9]{24,})$/.test(id) ? id : undefined
}
