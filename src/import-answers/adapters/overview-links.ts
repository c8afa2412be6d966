import type { CitationRecord } from '../../domain/answer.ts'
import { isObject, type JsonObject, textAt } from './json.ts'
import { defined, toSource } from './sources.ts'

/** Blocks in blocks are read this deep. */
const DEPTH_MAX = 16

/**
 * Links in the text of an overview's blocks, each once, in reading order; links back to Google's own search are none:
 * they ask for something, and name no source.
 */
export function toInlineLinks(blocks: readonly JsonObject[]): readonly CitationRecord[] {
  const links = new Map<string, CitationRecord>()
  for (const link of blocks.flatMap((block) => linksOf(block, 0))) {
    if (!GOOGLE_SEARCH.test(link.url) && !links.has(link.url)) links.set(link.url, link)
  }
  return [...links.values()]
}

const GOOGLE_SEARCH = /^https?:\/\/(?:www\.)?google\.[a-z.]{2,6}\/search\b/i
const LINK_FIELDS: ReadonlySet<string> = new Set(['snippet_links', 'answer_links', 'links'])
const NESTED_FIELDS: ReadonlySet<string> = new Set([
  'list',
  'items',
  'text_blocks',
  'texts',
  'comparison',
  'components',
])

/** A block's own links before those of the blocks in it. */
function linksOf(block: JsonObject, depth: number): readonly CitationRecord[] {
  if (depth > DEPTH_MAX) return []
  const lists = Object.entries(block).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  const own = lists
    .filter(([field]) => LINK_FIELDS.has(field))
    .flatMap(([, links]) => links.filter(isObject).map(toLink))
  const nested = lists.filter(([field]) => NESTED_FIELDS.has(field)).flatMap(([, blocks]) => blocks.filter(isObject))
  return [...defined(own), ...nested.flatMap((each) => linksOf(each, depth + 1))]
}

function toLink(link: JsonObject): CitationRecord | undefined {
  return toSource(link['link'] ?? link['url'] ?? link['href'], textAt(link, 'title') ?? textAt(link, 'text'))
}
