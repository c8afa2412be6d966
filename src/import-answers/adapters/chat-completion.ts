import type { Rejection } from '../../domain/rejection.ts'
import { describe, errorAt, isObject, type JsonObject, objectAt, objectsAt, pieceAt, textAt } from './json.ts'

/** The first choice of a chat completion: its text (null when the model refused) and its annotations in order. */
export interface ChatReply {
  readonly text: string | null
  readonly annotations: readonly JsonObject[]
}

export function isChatCompletion(payload: JsonObject): boolean {
  return Array.isArray(payload['choices'])
}

/**
 * Reads `choices[0].message`. A reply that the API itself calls unfinished is a rejection, and so is a turn that calls
 * the client's tools: brands in the part that is missing would count as not named. A refused one is no answer.
 */
export function readChatCompletion(payload: JsonObject): ChatReply | Rejection {
  const error = errorAt(payload)
  if (error !== undefined) return { reason: `the response is an error: ${error}` }
  const choice = objectsAt(payload, 'choices')[0]
  const message = objectAt(choice, 'message')
  if (!message) return { reason: 'choices[0].message is missing: the response holds no reply' }
  const finish = choice?.['finish_reason']
  const annotations = objectsAt(message, 'annotations').map((each) => objectAt(each, 'url_citation') ?? each)
  if (finish === 'content_filter' || textAt(message, 'refusal') !== undefined) return { text: null, annotations: [] }
  if (typeof finish === 'string' && finish !== 'stop' && finish !== 'end_turn') {
    return { reason: `choices[0].finish_reason: found ${describe(finish)}; wanted a finished reply ("stop")` }
  }
  if (objectsAt(message, 'tool_calls').length > 0 || objectAt(message, 'function_call')) {
    return { reason: 'choices[0].message calls tools of the client; wanted the reply after them' }
  }
  const text = withoutReasoning(toText(message['content']))
  return text === undefined
    ? { reason: 'choices[0].message holds reasoning (<think>) without an end; wanted the answer after it' }
    : { text, annotations }
}

/** Some models think aloud before they answer: `<think>…</think>`. Undefined when that is all. */
function withoutReasoning(text: string | null): string | null | undefined {
  const start = /^\s*<think>/.exec(text ?? '')
  if (text === null || start === null) return text
  const end = text.indexOf('</think>', start[0].length)
  return end < 0 ? undefined : text.slice(end + '</think>'.length).trimStart()
}

/** The content is a string, or parts of which those of type `text` are the reply. */
function toText(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const parts = content.filter(isObject).filter((part) => part['type'] === 'text')
  return parts.map((part) => pieceAt(part, 'text')).join('')
}
