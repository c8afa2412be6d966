import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { toAskedAt } from '../asked-at.ts'
import { type JsonObject, objectsAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { toInlineLinks } from './overview-links.ts'
import { defined, merged, toSource } from './sources.ts'

/** A page of results, with or without an overview: its `items` say of which type they are. */
export function isSerp(result: JsonObject): boolean {
  if (!('items' in result)) return false
  return Array.isArray(result['item_types']) || objectsAt(result, 'items').some(isOverview)
}

/** Google's AI Overview among the organic results, or its AI Mode, which DataForSEO gives as a lone overview. */
export function toSerpAnswer(result: JsonObject): AnswerRecord | Rejection {
  const record = { asked_at: toAskedAt(result['datetime']), platform: engineOf(result), citations: [] }
  const overviews = objectsAt(result, 'items').filter(isOverview)
  if (overviews.length === 0) {
    const named = Array.isArray(result['item_types']) && result['item_types'].includes('ai_overview')
    return named ? { reason: 'item_types names an ai_overview, but items holds none' } : { ...record, text: null }
  }
  const texts = overviews.map(toText)
  if (texts.some((text) => text === null)) {
    return {
      reason: 'ai_overview was not captured: it was only partly loaded (ask for it with load_async_ai_overview)',
    }
  }
  const text = texts.join('\n\n')
  if (saysNoOverview(text)) return { ...record, text: null }
  return { ...record, text, citations: overviews.flatMap(toCitations) }
}

function isOverview(item: JsonObject): boolean {
  return item['type'] === 'ai_overview'
}

/** A result without its task doesn't name the endpoint; organic results beside the overview do. */
function engineOf(result: JsonObject): EngineId | undefined {
  if (result['type'] === 'ai_mode') return 'ai_mode'
  if (result['type'] === 'organic') return 'ai_overviews'
  return objectsAt(result, 'items').every(isOverview) ? 'ai_mode' : 'ai_overviews'
}

/** An overview that Google loads later has its Markdown once it is there, and at most single elements before. */
function toText(overview: JsonObject): string | null {
  const markdown = textAt(overview, 'markdown')
  if (markdown !== undefined || overview['asynchronous_ai_overview'] === true) return markdown ?? null
  const lines = elementsOf(overview, 0).flatMap((element) =>
    defined([textAt(element, 'title'), textAt(element, 'text')]),
  )
  return lines.length > 0 ? lines.join('\n') : null
}

/** Elements are read this deep; expandable ones hold components. */
const DEPTH_MAX = 8

/** The elements of an overview with those inside them, in reading order. */
function elementsOf(part: JsonObject, depth: number): readonly JsonObject[] {
  if (depth > DEPTH_MAX) return []
  const elements = [...objectsAt(part, 'items'), ...objectsAt(part, 'components')]
  return elements.flatMap((element) => [element, ...elementsOf(element, depth + 1)])
}

/** The overview's own list, then what only its elements name, each repeating part of the other, then links in the text. */
function toCitations(overview: JsonObject): readonly CitationRecord[] {
  const references = merged(toReferences(overview), elementsOf(overview, 0).flatMap(toReferences))
  return merged(references, toInlineLinks(objectsAt(overview, 'items')))
}

function toReferences(part: JsonObject): readonly CitationRecord[] {
  return defined(
    objectsAt(part, 'references').map((reference) =>
      toSource(reference['url'], reference['title'], reference['domain']),
    ),
  )
}
