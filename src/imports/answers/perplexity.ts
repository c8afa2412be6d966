import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from './asked-at.ts'
import { isChatCompletion, readChatCompletion } from './chat-completion.ts'
import { type JsonObject, objectsAt, textAt, textsAt } from './json.ts'
import { engineOfModel, isGrok } from './model-family.ts'
import { isResponse, readResponse } from './responses-output.ts'
import { defined, hasSources, toSource, toSources } from './sources.ts'

/** Perplexity's chat completions and its newer Responses kind (payloads.md 4). */
export const perplexity = defineAdapter({
  format: 'perplexity',
  platform: () => 'perplexity',
  looksFor: 'search_results[] or citations[] beside choices[] or in output[]',
  recognises(payload) {
    const model = textAt(payload, 'model')
    if (isGrok(model)) return false
    if (isChatCompletion(payload)) {
      return (
        engineOfModel(model) === 'perplexity' ||
        hasSources(payload, 'search_results') ||
        hasSources(payload, 'citations')
      )
    }
    return isResponse(payload) && (engineOfModel(model) === 'perplexity' || searches(payload).length > 0)
  },
  toRecords: (payload) => [isResponse(payload) ? toRecord(payload) : toRecordOfChat(payload)],
})

function searches(payload: JsonObject): readonly JsonObject[] {
  return objectsAt(payload, 'output').filter((item) => item['type'] === 'search_results')
}

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const reply = readResponse(payload)
  if (isRejection(reply)) return reply
  const queries = searches(payload).flatMap((search) => textsAt(search, 'queries') ?? [])
  return {
    asked_at: toAskedAt(payload['created_at']),
    text: reply.text,
    citations: reply.text === null ? [] : searches(payload).flatMap((search) => toSources(search['results'])),
    provider: 'perplexity',
    model: textAt(payload, 'model'),
    search_queries: queries.length > 0 ? queries : undefined,
  }
}

function toRecordOfChat(payload: JsonObject): AnswerRecord | Rejection {
  const reply = readChatCompletion(payload)
  if (isRejection(reply)) return reply
  // The same list up to three times: with titles, as bare URLs in older responses, as annotations through a router.
  const lists = [
    toSources(payload['search_results']),
    toSources(payload['citations']),
    defined(reply.annotations.map((link) => toSource(link['url'], link['title']))),
  ]
  return {
    asked_at: toAskedAt(payload['created']),
    text: reply.text,
    citations: reply.text === null ? [] : (lists.find((list) => list.length > 0) ?? []),
    provider: 'perplexity',
    model: textAt(payload, 'model'),
  }
}
