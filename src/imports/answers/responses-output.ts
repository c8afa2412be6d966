import type { Rejection } from '../../domain/rejection.ts'
import { describe, errorAt, type JsonObject, objectAt, objectsAt, pieceAt } from './json.ts'

/** The reply in a response of the Responses kind: its text (null when the model refused) and the links it cites. */
export interface ResponseReply {
  readonly text: string | null
  /** Annotations of type `url_citation`, in order. */
  readonly annotations: readonly JsonObject[]
}

export function isResponse(payload: JsonObject): boolean {
  return Array.isArray(payload['output'])
}

/**
 * Reads `output[type=message]`. A response that the API itself calls failed or unfinished is a rejection: brands in the
 * part that is missing would count as not named. A refused one is no answer.
 */
export function readResponse(payload: JsonObject): ResponseReply | Rejection {
  const error = errorAt(payload)
  if (error !== undefined) return { reason: `the response is an error: ${error}` }
  if (objectAt(payload, 'incomplete_details')?.['reason'] === 'content_filter') return { text: null, annotations: [] }
  const status = payload['status']
  if (typeof status === 'string' && status !== 'completed') {
    return { reason: `status: found ${describe(status)}; wanted a finished response ("completed")` }
  }
  const messages = objectsAt(payload, 'output').filter((item) => item['type'] === 'message')
  if (messages.length === 0) return { reason: 'output holds no item of type message: the response has no reply' }
  const parts = messages.map((message) => objectsAt(message, 'content'))
  const spoken = parts.map((content) => content.filter((part) => part['type'] === 'output_text'))
  if (spoken.every((content) => content.length === 0)) return { text: null, annotations: [] }
  return {
    text: spoken
      .map((content) => content.map((part) => pieceAt(part, 'text')).join(''))
      .filter(Boolean)
      .join('\n\n'),
    annotations: spoken
      .flat()
      .flatMap((part) => objectsAt(part, 'annotations'))
      .filter((annotation) => annotation['type'] === 'url_citation'),
  }
}
