import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { isChatCompletion, readChatCompletion } from './chat-completion.ts'
import { type JsonObject, objectsAt, textAt, textsAt } from './json.ts'
import { engineOfModel, isGrok, providerOf } from './model-family.ts'
import { isResponse, readResponse } from './responses-output.ts'
import { defined, hasSources, toNumberedSources, toSource, toSources, uncited } from './sources.ts'

/** Perplexity's chat completions and its newer Responses kind (contract/payloads 6). */
export const perplexity = defineAdapter({
  format: 'perplexity',
  // In its Responses kind Perplexity runs other vendors' models; chat completions with sources come from others too.
  platform(payload) {
    const model = textAt(payload, 'model')
    return model === undefined || isResponse(payload) ? 'perplexity' : engineOfModel(model)
  },
  looksFor: 'search_results[] or citations[] beside choices[] or in output[]',
  recognises(payload) {
    const model = textAt(payload, 'model')
    if (isResponse(payload)) return engineOfModel(model) === 'perplexity' || searches(payload).length > 0
    if (isGrok(model) || !isChatCompletion(payload)) return false
    return (
      engineOfModel(model) === 'perplexity' || hasSources(payload, 'search_results') || hasSources(payload, 'citations')
    )
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
  const found = searches(payload).flatMap((search) => toNumberedSources(search['results']))
  const annotated = defined(reply.annotations.map((link) => toSource(link['url'], link['title'])))
  const citations = annotated.length > 0 ? annotated : referenced(reply.text, found)
  const opened = objectsAt(payload, 'output')
    .filter((item) => item['type'] === 'fetch_url_results')
    .flatMap((item) => toSources(item['contents']))
  return {
    asked_at: toAskedAt(payload['created_at']),
    text: reply.text,
    citations,
    provider: 'perplexity',
    model: textAt(payload, 'model'),
    search_queries: queries.length > 0 ? queries : undefined,
    consulted: uncited([...defined(found), ...opened], citations),
  }
}

function toRecordOfChat(payload: JsonObject): AnswerRecord | Rejection {
  const reply = readChatCompletion(payload)
  if (isRejection(reply)) return reply
  // The same list up to three times: with titles, as bare URLs in older responses, as annotations through a router.
  const lists = [
    toNumberedSources(payload['search_results']),
    toNumberedSources(payload['citations']),
    reply.annotations.map((link) => toSource(link['url'], link['title'])),
  ]
  const found = lists.find((list) => list.length > 0) ?? []
  const citations = referenced(reply.text, found)
  return {
    asked_at: toAskedAt(payload['created']),
    text: reply.text,
    citations,
    provider: textAt(payload, 'model') === undefined ? 'perplexity' : providerOf(payload),
    model: textAt(payload, 'model'),
    consulted: uncited(defined(found), citations),
  }
}

/** Code (not an answer as JSON), in which a number in brackets is an index, or a reference: `[1]`, `[1, 2]`, `[web:1]`. */
const CODE_OR_REFERENCE = /```(?!json)[\s\S]*?(?:```|$)|`[^`\n]*`|\[((?:web:)?\d{1,4}(?:, ?(?:web:)?\d{1,4}){0,50})\]/g

/** The sources that a text refers to by their number in the list, from 1, in the order of the first references. */
function referenced(text: string | null, sources: readonly (CitationRecord | undefined)[]): CitationRecord[] {
  const numbers = Array.from((text ?? '').matchAll(CODE_OR_REFERENCE), ([, list = '']) => list.match(/\d+/g) ?? [])
  return defined([...new Set(numbers.flat().map(Number))].map((number) => sources[number - 1]))
}
