import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { describe, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { engineOfModel, providerOf } from './model-family.ts'
import { defined, toSource, toSources, uncited } from './sources.ts'
import { joinSpoken } from './spoken-text.ts'

/** Anthropic's Messages API with web search and web fetch (contract/payloads 4). */
export const anthropicMessages = defineAdapter({
  format: 'anthropic-messages',
  // Other vendors speak this API too, under their own models' names.
  platform: (payload) => (hasModel(payload) ? engineOfModel(textAt(payload, 'model')) : 'claude'),
  looksFor: 'role "assistant" with content[]',
  recognises: (payload) => payload['role'] === 'assistant' && Array.isArray(payload['content']),
  toRecords: (payload) => [toRecord(payload)],
})

/** Stops after which the message is what the reader gets. */
const FINISHED: ReadonlySet<unknown> = new Set(['end_turn', 'stop_sequence', null, undefined])

function hasModel(payload: JsonObject): boolean {
  return textAt(payload, 'model') !== undefined
}

function toRecord(payload: JsonObject): AnswerRecord | Rejection {
  const stop = payload['stop_reason']
  if (stop !== 'refusal' && !FINISHED.has(stop)) {
    return { reason: `stop_reason: found ${describe(stop)}; wanted a finished message ("end_turn")` }
  }
  const blocks = objectsAt(payload, 'content')
  if (stop !== 'refusal' && blocks.at(-1)?.['type'] === 'tool_use') {
    return { reason: 'content ends in a tool_use for the client; wanted the message after it' }
  }
  const spoken = stop === 'refusal' ? [] : blocks.filter(isText)
  const text = stop === 'refusal' ? '' : joinSpoken(blocks, isText)
  const results = blocks.filter((block) => block['type'] === 'web_search_tool_result')
  const failed = results
    .map((block) => textAt(objectAt(block, 'content'), 'error_code'))
    .find((code) => code !== undefined)
  if (text.trim() === '' && failed !== undefined)
    return { reason: `the web search failed (${failed}) and no text followed` }
  const citations = spoken.flatMap(toCitations)
  const queries = blocks.filter(isSearch).map((block) => textAt(objectAt(block, 'input'), 'query'))
  return {
    id: toId(payload),
    text: text === '' ? null : text,
    citations,
    provider: hasModel(payload) ? providerOf(payload) : 'anthropic',
    model: textAt(payload, 'model'),
    search_queries: queries.length > 0 ? defined(queries) : undefined,
    consulted: uncited(blocks.flatMap(toRead), citations),
  }
}

function isText(block: JsonObject): boolean {
  return block['type'] === 'text'
}

/** The pages that a search found, or the one that was fetched. */
function toRead(block: JsonObject): CitationRecord[] {
  if (block['type'] === 'web_search_tool_result') return toSources(block['content'])
  const fetched = block['type'] === 'web_fetch_tool_result' ? objectAt(block, 'content') : undefined
  return fetched ? defined([toSource(fetched['url'], objectAt(fetched, 'content')?.['title'])]) : []
}

function isSearch(block: JsonObject): boolean {
  return block['type'] === 'server_tool_use' && block['name'] === 'web_search'
}

function toCitations(block: JsonObject): CitationRecord[] {
  return defined(
    objectsAt(block, 'citations')
      .filter((citation) => citation['type'] === 'web_search_result_location')
      .map((citation) => toSource(citation['url'], citation['title'])),
  )
}

/** Only an id that Anthropic made: proxies and recorders put the same one on every message. */
function toId(payload: JsonObject): string | undefined {
  const id = textAt(payload, 'id')
  return id !== undefined && /^msg_[A-Za-z0-9_]{20,}$/.test(id) ? id : undefined
}
