import type { AnswerRecord } from '../../domain/answer.ts'
import { type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { defined, merged, toSources } from './sources.ts'

/** The AI Overviews of a parsed search page; undefined for a page of another kind or without one. */
export function overviewsOf(content: JsonObject): readonly JsonObject[] | undefined {
  const overviews = [...objectsAt(objectAt(content, 'results'), 'ai_overviews'), ...objectsAt(content, 'ai_overviews')]
  return overviews.length > 0 ? overviews : undefined
}

/** Text and links of the page's AI Overview; a page without one is no answer. */
export function toOverview(content: JsonObject): Pick<AnswerRecord, 'text' | 'citations'> {
  const overviews = overviewsOf(content) ?? []
  const passages = overviews.flatMap((overview) => objectsAt(overview, 'answer_text'))
  const lines = passages.map((passage) => defined(fragmentsOf(passage).map((part) => textAt(part, 'text'))).join(' '))
  const text = lines.filter((line) => line !== '').join('\n')
  const inText = passages.flatMap(fragmentsOf).flatMap((part) => toSources(part['references']))
  const inPanel = overviews.flatMap((overview) => toSources(objectAt(overview, 'source_panel')?.['items']))
  return { text: text === '' ? null : text, citations: merged(inText, inPanel) }
}

function fragmentsOf(passage: JsonObject): readonly JsonObject[] {
  return objectsAt(passage, 'fragments')
}
