import type { AnswerRecord } from '../../domain/answer.ts'
import { isObject, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { saysNoOverview } from './overview-absence.ts'
import { toMarkdown } from './overview-markdown.ts'
import { defined, merged, toSources } from './sources.ts'

/** The AI Overviews of a parsed search page; undefined for a page of another kind or without one. */
export function overviewsOf(content: JsonObject): readonly JsonObject[] | undefined {
  const results = objectAt(content, 'results')
  // Resellers of the parser hold the whole page under `results` once more.
  const places = [results, objectAt(results, 'results'), content]
  const overviews = places.flatMap((place) => objectsAt(place, 'ai_overviews'))
  return overviews.length > 0 ? overviews : undefined
}

/** Text and links of the page's AI Overview; a page without one is no answer. */
export function toOverview(content: JsonObject): Pick<AnswerRecord, 'text' | 'citations'> {
  const overviews = overviewsOf(content) ?? []
  const text = toMarkdown(overviews.flatMap(toBlocks))
  const passages = overviews.flatMap((overview) => [
    ...objectsAt(overview, 'answer_text'),
    ...objectsAt(overview, 'bullet_list').flatMap((list) => [list, ...objectsAt(list, 'points')]),
  ])
  const inText = passages.flatMap(fragmentsOf).flatMap((part) => toSources(part['references']))
  const inPanel = overviews.flatMap((overview) => toSources(objectAt(overview, 'source_panel')?.['items']))
  return { text: saysNoOverview(text) ? null : text, citations: merged(inText, inPanel) }
}

/** Lists stand apart from the passages: each comes behind the passage that is its title, else at the end. */
function toBlocks(overview: JsonObject): readonly JsonObject[] {
  const lists = objectsAt(overview, 'bullet_list').filter((list) => Array.isArray(list['points']))
  const passages = objectsAt(overview, 'answer_text').map(toText)
  const blocks = passages.flatMap((text) => [
    { snippet: text },
    ...lists.filter((list) => textAt(list, 'list_title') === text).map((list) => toList(list, undefined)),
  ])
  const rest = lists.filter((list) => !passages.includes(textAt(list, 'list_title') ?? ''))
  return [...blocks, ...rest.map((list) => toList(list, textAt(list, 'list_title')))]
}

function toList(list: JsonObject, title: string | undefined): JsonObject {
  const points: readonly unknown[] = Array.isArray(list['points']) ? list['points'] : []
  return { title, list: points.map((point) => ({ snippet: isObject(point) ? toText(point) : point })) }
}

/** A passage is fragments with their own links, or strings. */
function toText(passage: JsonObject): string {
  const { text } = passage
  const strings = Array.isArray(text) ? text.filter((each) => typeof each === 'string') : [text]
  const parts = [...fragmentsOf(passage).map((part) => textAt(part, 'text')), ...strings]
  return defined(parts.filter((part) => typeof part === 'string'))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}

function fragmentsOf(passage: JsonObject): readonly JsonObject[] {
  return objectsAt(passage, 'fragments')
}
