import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { toAskedAt } from '../asked-at.ts'
import { errorAt, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { toInlineLinks } from './overview-links.ts'
import { toMarkdown } from './overview-markdown.ts'
import { defined, merged, toSource } from './sources.ts'

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
  const text = toMarkdown(objectsAt(overview, 'texts'))
  if (saysNoOverview(text ?? errorAt(overview))) return { ...record, text: null }
  if (text === null) return { reason: `ai_overview was not captured: it holds ${errorAt(overview) ?? 'no text'}` }
  return { ...record, text, citations: toReferences(overview) }
}

function toReferences(overview: JsonObject): readonly CitationRecord[] {
  const references = objectsAt(overview, 'references').map((reference) =>
    toSource(reference['href'] ?? reference['url'], toTitle(textAt(reference, 'title'))),
  )
  return merged(defined(references), toInlineLinks(objectsAt(overview, 'texts')))
}

/** What the page reads out to those who don't see it stands at the end of each title. */
function toTitle(title: string | undefined): string | undefined {
  const tail = title?.lastIndexOf('. Opens in new tab') ?? -1
  return tail === -1 ? title : title?.slice(0, tail)
}
