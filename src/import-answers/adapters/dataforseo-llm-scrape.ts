import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import { toAskedAt } from '../asked-at.ts'
import { type JsonObject, objectsAt, textAt, textsAt } from './json.ts'
import { toSources, uncited } from './sources.ts'

/** A chat page as it was shown: Markdown and sources on the result itself. */
export function isLlmScrape(result: JsonObject): boolean {
  return typeof result['markdown'] === 'string' || Array.isArray(result['sources'])
}

export function toLlmScrape(result: JsonObject): AnswerRecord {
  const items = objectsAt(result, 'items')
  const citations = Array.isArray(result['sources']) ? toSources(result['sources']) : items.flatMap(toItemSources)
  const text = textAt(result, 'markdown') ?? items.flatMap((item) => textAt(item, 'markdown') ?? []).join('\n\n')
  return {
    asked_at: toAskedAt(result['datetime']),
    text: text === '' ? null : text,
    citations,
    model: textAt(result, 'model'),
    search_queries: textsAt(result, 'fan_out_queries'),
    consulted: uncited(toSources(result['search_results']), citations),
  }
}

function toItemSources(item: JsonObject): readonly CitationRecord[] {
  return toSources(item['sources'])
}
