import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { toAskedAt } from './asked-at.ts'
import { errorAt, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { defined, toSource } from './sources.ts'

/** Lists in lists are read this deep; Google nests two or three levels. */
const DEPTH_MAX = 16

/** A parsed Google page of Bright Data's SERP API (`brd_json=1`). */
export function isOverviewPage(payload: JsonObject): boolean {
  const overview = objectAt(payload, 'ai_overview')
  if (overview !== undefined && Array.isArray(overview['texts'])) return true
  return textAt(objectAt(payload, 'general'), 'search_engine') === 'google'
}

/** The page's AI Overview; a page without one is no answer. */
export function toOverviewAnswer(page: JsonObject): AnswerRecord | Rejection {
  const general = objectAt(page, 'general')
  const overview = objectAt(page, 'ai_overview')
  const record = {
    asked_at: toAskedAt(general?.['timestamp']),
    platform: 'ai_overviews',
    prompt: textAt(general, 'query'),
    citations: [],
    provider: 'brightdata',
  }
  if (!overview) return { ...record, text: null }
  const text = objectsAt(overview, 'texts')
    .flatMap((part) => toLines(part, 0))
    .join('\n')
  if (text === '') return { reason: `ai_overview was not captured: it holds ${errorAt(overview) ?? 'no text'}` }
  return { ...record, text, citations: toReferences(overview) }
}

function toLines(part: JsonObject, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  const title = textAt(part, 'title')
  const snippet = textAt(part, 'snippet')
  const own = defined([title !== undefined && snippet?.startsWith(title) ? undefined : title, snippet]).join(' ')
  const nested = [...objectsAt(part, 'list'), ...objectsAt(part, 'texts')].flatMap((each) => toLines(each, depth + 1))
  return own === '' ? nested : [own, ...nested]
}

function toReferences(overview: JsonObject): readonly CitationRecord[] {
  return defined(
    objectsAt(overview, 'references').map((reference) =>
      toSource(reference['href'] ?? reference['url'], toTitle(textAt(reference, 'title'))),
    ),
  )
}

/** What the page reads out to those who don't see it stands at the end of each title. */
function toTitle(title: string | undefined): string | undefined {
  const tail = title?.lastIndexOf('. Opens in new tab') ?? -1
  return tail === -1 ? title : title?.slice(0, tail)
}
