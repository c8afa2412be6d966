import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { isChatCompletion, readChatCompletion } from './chat-completion.ts'
import { type JsonObject, textAt } from './json.ts'
import { isGrok, providerOf } from './model-family.ts'
import { isResponse, readResponse, readSearches } from './responses-output.ts'
import { defined, toSource, toSources, uncited } from './sources.ts'

/** xAI's Grok (contract/payloads 7). It is no engine of this service, so its records need a platform from the operator. */
export const xai = defineAdapter({
  format: 'xai',
  looksFor: 'output[] or choices[] of a grok model',
  recognises(payload) {
    const model = textAt(payload, 'model')
    if (isGrok(model)) return isResponse(payload) || isChatCompletion(payload)
    return model === undefined && isResponse(payload) && Array.isArray(payload['citations'])
  },
  toRecords: (payload) => [toRecord(payload)],
})

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const reply = isResponse(payload) ? readResponse(payload) : readChatCompletion(payload)
  if (isRejection(reply)) return reply
  const annotated = defined(reply.annotations.map((link) => toSource(link['url'], toTitle(link['title']))))
  const inline = toInlineLinks(reply.text ?? '')
  // Without links in the text the annotations only list what Grok saw, as the payload's `citations` always do.
  const citations = inline.length > 0 && annotated.length > 0 ? annotated : inline
  const { queries, pages } = readSearches(payload)
  return {
    asked_at: toAskedAt(payload['created_at'] ?? payload['created']),
    text: reply.text,
    citations,
    provider: providerOf(payload) ?? 'xai',
    model: textAt(payload, 'model'),
    search_queries: queries,
    consulted: uncited([...annotated, ...toSources(payload['citations']), ...pages], citations),
  }
}

/** The title is often only the number that stands in the text. */
function toTitle(title: unknown): unknown {
  return typeof title === 'string' && /^\[*\d+\]*$/.test(title.trim()) ? undefined : title
}

/** Links of the form `[[1]](https://…)`; a pair of parentheses may be part of the URL. */
const INLINE_LINK = /\[\[\d+\]\]\((https?:\/\/(?:[^\s()]|\([^\s()]*\)){1,4000})\)/g

function toInlineLinks(text: string): CitationRecord[] {
  return Array.from(text.matchAll(INLINE_LINK), ([, url = '']) => ({ url }))
}
