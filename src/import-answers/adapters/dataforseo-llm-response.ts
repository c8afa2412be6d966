import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { toAskedAt } from '../asked-at.ts'
import { type JsonObject, objectsAt, textAt, textsAt } from './json.ts'
import { defined, toSource } from './sources.ts'

/** An answer of a model's API: `items` of `sections`. */
export function isLlmResponse(result: JsonObject): boolean {
  return objectsAt(result, 'items').some((item) => Array.isArray(item['sections']))
}

export function toLlmResponse(result: JsonObject): AnswerRecord | Rejection {
  const messages = objectsAt(result, 'items').filter((item) => item['type'] === 'message')
  if (messages.length === 0) return { reason: 'items holds no message: the result has no answer' }
  const sections = messages.flatMap((message) => objectsAt(message, 'sections'))
  const text = defined(sections.map((section) => textAt(section, 'text'))).join('\n\n')
  return {
    asked_at: toAskedAt(result['datetime']),
    text: text === '' ? null : text,
    citations: defined(
      sections
        .flatMap((section) => objectsAt(section, 'annotations'))
        // Gemini's `url` only redirects; newer results have the page itself beside it.
        .map((link) => toSource(textAt(link, 'direct_url') ?? link['url'], link['title'])),
    ),
    model: textAt(result, 'model_name'),
    search_queries: textsAt(result, 'fan_out_queries'),
  }
}
