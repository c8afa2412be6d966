import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { toAskedAt } from '../asked-at.ts'
import { describe, errorAt, type JsonObject, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { defined, toSource, toSources, uncited } from './sources.ts'
import { joinSpoken } from './spoken-text.ts'

/** Types of which at least one stands in the steps or outputs of an interaction. */
const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'model_output',
  'text',
  'thought',
  'google_search_call',
  'google_search_result',
  'url_context_call',
  'function_call',
])

/** Whether a payload is of Google's Interactions API: `steps`, or `outputs` in its first version. */
export function isInteraction(payload: JsonObject): boolean {
  if (!Array.isArray(payload['steps']) && !Array.isArray(payload['outputs'])) return false
  if (payload['object'] === 'interaction') return true
  return payload['object'] === undefined && toItems(payload).some((item) => ITEM_TYPES.has(item['type']))
}

/** An interaction's answer; one that waits for its client, failed or goes on is a rejection. */
export function readInteraction(payload: JsonObject): AnswerRecord | Rejection {
  const error = errorAt(payload)
  if (error !== undefined) return { reason: `the interaction is an error: ${error}` }
  const status = payload['status']
  if (typeof status === 'string' && status.toLowerCase() !== 'completed') {
    return { reason: `status: found ${describe(status)}; wanted a finished interaction ("completed")` }
  }
  const items = toItems(payload)
  const blocks = items.flatMap(toBlocks)
  if (items.at(-1)?.['type'] === 'function_call') {
    return { reason: 'the interaction ends in a function_call for the client; wanted the answer after it' }
  }
  if (!blocks.some(isText)) return { reason: 'the interaction holds no text of the model: it has no answer' }
  const citations = defined(
    blocks
      .filter(isText)
      .flatMap((block) => objectsAt(block, 'annotations'))
      .map((link) => toSource(link['url'] ?? link['uri'] ?? link['source'], link['title'])),
  )
  const queries = items
    .filter((item) => item['type'] === 'google_search_call')
    .map((item) => objectAt(item, 'arguments'))
    .flatMap((search) => textsAt(search, 'queries') ?? textsAt(search, 'query') ?? [])
  return {
    asked_at: toAskedAt(payload['created']),
    prompt: toPrompt(items),
    text: joinSpoken(blocks, isText),
    citations,
    provider: 'google',
    model: textAt(payload, 'model') ?? textAt(payload, 'agent'),
    search_queries: queries.length > 0 ? queries : undefined,
    consulted: uncited(items.flatMap(toRead), citations),
  }
}

function toItems(payload: JsonObject): readonly JsonObject[] {
  return objectsAt(payload, Array.isArray(payload['steps']) ? 'steps' : 'outputs')
}

/** What the model says in a step, set apart from what the step before said; an output is a block itself. */
function toBlocks(item: JsonObject): readonly JsonObject[] {
  return item['type'] === 'model_output' ? [{ type: 'step' }, ...objectsAt(item, 'content')] : [item]
}

function isText(block: JsonObject): boolean {
  return block['type'] === 'text'
}

/** The text of the only question; a conversation of several has no prompt. */
function toPrompt(items: readonly JsonObject[]): string | undefined {
  const [input, ...others] = items.filter((item) => item['type'] === 'user_input')
  const [part, ...rest] = objectsAt(input, 'content')
  return others.length === 0 && rest.length === 0 ? textAt(part, 'text') : undefined
}

/** Pages that a search found or the model opened, without those that it failed to open. */
function toRead(item: JsonObject): CitationRecord[] {
  if (item['type'] === 'google_search_result') return toSources(item['result'])
  if (item['type'] !== 'url_context_result') return []
  return toSources(objectsAt(item, 'result').filter((page) => (page['status'] ?? 'success') === 'success'))
}
