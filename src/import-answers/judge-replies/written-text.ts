import type { Rejection } from '../../domain/rejection.ts'
import { isObject, type JsonObject, objectAt, objectsAt, pieceAt, textAt } from '../adapters/json.ts'

/** What a model wrote. */
export interface WrittenText {
  readonly text: string
  /** The model as the reply names it; undefined where it doesn't. */
  readonly model: string | undefined
}

/**
 * The text of a model's reply, in the format that its shape shows: OpenAI's responses and chat completions, Anthropic's
 * messages, Gemini's content. A reply that was cut off, blocked or refused is none, whatever text it has.
 */
export function readWrittenText(reply: unknown): WrittenText | Rejection {
  if (!isObject(reply)) return { reason: "the judge's reply is no object" }
  if (Array.isArray(reply['output'])) return readResponse(reply)
  if (Array.isArray(reply['choices'])) return readCompletion(reply)
  if (reply['type'] === 'message') return readMessage(reply)
  if ('candidates' in reply || 'promptFeedback' in reply) return readContent(reply)
  return { reason: "the judge's reply has none of the formats that are known" }
}

function readResponse(reply: JsonObject): WrittenText | Rejection {
  if (reply['status'] !== 'completed') {
    return toIncomplete(textAt(objectAt(reply, 'incomplete_details'), 'reason') ?? textAt(reply, 'status'))
  }
  const contents = objectsAt(reply, 'output').flatMap((item) => objectsAt(item, 'content'))
  if (contents.some(({ type }) => type === 'refusal')) return REFUSED
  return { text: join(contents.filter(({ type }) => type === 'output_text')), model: textAt(reply, 'model') }
}

function readCompletion(reply: JsonObject): WrittenText | Rejection {
  const [choice] = objectsAt(reply, 'choices')
  const message = objectAt(choice, 'message')
  if (textAt(message, 'refusal') !== undefined) return REFUSED
  if (message === undefined || choice?.['finish_reason'] !== 'stop') {
    return toIncomplete(textAt(choice, 'finish_reason'))
  }
  // Models that think aloud write their thoughts before the JSON, whatever format is asked for.
  const text = pieceAt(message, 'content').replace(/^\s*<think>.*?<\/think>/s, '')
  return { text, model: textAt(reply, 'model') }
}

function readMessage(reply: JsonObject): WrittenText | Rejection {
  if (reply['stop_reason'] === 'refusal') return REFUSED
  if (reply['stop_reason'] !== 'end_turn') return toIncomplete(textAt(reply, 'stop_reason'))
  return {
    text: join(objectsAt(reply, 'content').filter(({ type }) => type === 'text')),
    model: textAt(reply, 'model'),
  }
}

function readContent(reply: JsonObject): WrittenText | Rejection {
  const [candidate] = objectsAt(reply, 'candidates')
  if (candidate?.['finishReason'] !== 'STOP') {
    return toIncomplete(textAt(objectAt(reply, 'promptFeedback'), 'blockReason') ?? textAt(candidate, 'finishReason'))
  }
  const parts = objectsAt(objectAt(candidate, 'content'), 'parts')
  return { text: join(parts.filter(({ thought }) => thought !== true)), model: textAt(reply, 'modelVersion') }
}

const REFUSED: Rejection = { reason: 'the judge refused to judge' }

function toIncomplete(why: string | undefined): Rejection {
  return { reason: `the judge's reply is not complete: ${(why ?? 'it does not say that it is').slice(0, 100)}` }
}

function join(parts: readonly JsonObject[]): string {
  return parts.map((part) => pieceAt(part, 'text')).join('')
}
