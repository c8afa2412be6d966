import type { CitationRecord } from '../../domain/answer.ts'
import { isObject, type JsonObject, objectsAt, pieceAt, textAt } from './json.ts'
import { defined, toSource } from './sources.ts'

/** Blocks in blocks are read this deep; Google nests two or three levels. */
const DEPTH_MAX = 16

/**
 * The text of a SerpApi overview or AI Mode answer: the Markdown where there is some (list blocks may come without their
 * content), else every block's text, depth first, a line each. Null when there is no text at all.
 */
export function toOverviewText(overview: JsonObject): string | null {
  const markdown = textAt(overview, 'reconstructed_markdown') ?? textAt(overview, 'markdown')
  if (markdown !== undefined) return markdown
  const lines = objectsAt(overview, 'text_blocks').flatMap((block) => toLines(block, 0))
  return lines.length > 0 ? lines.join('\n') : null
}

/** `references`, in the order of their `index`. */
export function toReferences(overview: JsonObject): readonly CitationRecord[] {
  const references = objectsAt(overview, 'references')
  const inOrder = references.every((reference) => typeof reference['index'] === 'number')
    ? references.toSorted((a, b) => Number(a['index']) - Number(b['index']))
    : references
  return defined(inOrder.map((reference) => toSource(reference['link'], reference['title'])))
}

function toLines(block: JsonObject, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  const nested = [...objectsAt(block, 'list'), ...objectsAt(block, 'text_blocks'), ...objectsAt(block, 'comparison')]
  return [...toOwnLine(block), ...toRows(block['table']), ...nested.flatMap((each) => toLines(each, depth + 1))]
}

/** A list item's title is often the beginning of its snippet. */
function toOwnLine(block: JsonObject): readonly string[] {
  const title = textAt(block, 'title') ?? textAt(block, 'feature')
  const snippet = textAt(block, 'snippet') ?? textAt(block, 'code')
  const values = Array.isArray(block['values']) ? block['values'].filter((value) => typeof value === 'string') : []
  const parts = [title !== undefined && snippet?.startsWith(title) ? undefined : title, snippet, ...values]
  const line = defined(parts).join(' ')
  return line === '' ? [] : [line]
}

/** A table is rows of cells; a cell is a string or an object with a snippet. */
function toRows(table: unknown): readonly string[] {
  if (!Array.isArray(table)) return []
  return table.filter((row) => Array.isArray(row)).map((row) => row.map(toCell).join(' | '))
}

function toCell(cell: unknown): string {
  return isObject(cell) ? pieceAt(cell, 'snippet') : typeof cell === 'string' ? cell : ''
}
