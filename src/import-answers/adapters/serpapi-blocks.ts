import type { CitationRecord } from '../../domain/answer.ts'
import { type JsonObject, objectsAt, textAt } from './json.ts'
import { toInlineLinks } from './overview-links.ts'
import { toMarkdown } from './overview-markdown.ts'
import { defined, merged, toSource } from './sources.ts'

/**
 * The text of an overview or AI Mode answer: the Markdown where there is some (list blocks may come without their
 * content), else its blocks as Markdown. Null when there is no text at all.
 */
export function toOverviewText(overview: JsonObject): string | null {
  const markdown = textAt(overview, 'reconstructed_markdown') ?? textAt(overview, 'markdown')
  return markdown ?? toMarkdown(objectsAt(overview, 'text_blocks'))
}

/** The list at `key`, in the order of its `index`, then what only links in the text name. */
export function toReferences(overview: JsonObject, key: 'references' | 'reference_links'): readonly CitationRecord[] {
  const references = objectsAt(overview, key)
  const inOrder = references.every((reference) => typeof reference['index'] === 'number')
    ? references.toSorted((a, b) => Number(a['index']) - Number(b['index']))
    : references
  const sources = defined(inOrder.map((reference) => toSource(reference['link'], reference['title'])))
  return merged(sources, toInlineLinks(objectsAt(overview, 'text_blocks')))
}
