import { isObject, type JsonObject, objectAt, objectsAt, pieceAt, textAt } from './json.ts'
import { defined } from './sources.ts'

/** Blocks in blocks are read this deep; Google nests two or three levels. */
const DEPTH_MAX = 16

/**
 * The text of an answer that a service took apart into blocks, put together as Markdown: headings, bullets and bold labels
 * stand as they do on the page, since brands are discovered by them. Null when no block says anything.
 */
export function toMarkdown(blocks: readonly JsonObject[]): string | null {
  const parts = blocks.map((block) => toBlockLines(block, 0).join('\n')).filter((part) => part !== '')
  return parts.length > 0 ? parts.join('\n\n') : null
}

const TEXT_FIELDS = ['snippet', 'answer', 'code'] as const
const ITEM_FIELDS = ['list', 'items'] as const
const NAMED_FIELDS = ['snippet', 'snippets'] as const
const BLOCK_FIELDS = ['text_blocks', 'texts'] as const

/** Stand beside the text; what they hold is their own title. */
const MEDIA: ReadonlySet<unknown> = new Set(['image', 'images', 'video', 'videos'])

function toBlockLines(block: JsonObject, depth: number): readonly string[] {
  const { type } = block
  if (depth > DEPTH_MAX || MEDIA.has(type)) return []
  const text = textOf(block)
  const title = textAt(block, 'title')
  const items = itemsOf(block)
  const own = text === undefined ? [] : [type === 'heading' || type === 'header' ? toHeading(text) : text]
  const isRepeated = [text, ...items.map(textOf)].some((each) => title !== undefined && each?.startsWith(title))
  return [
    ...(title === undefined || isRepeated ? [] : [toHeading(title)]),
    ...own,
    ...toTableLines(block),
    ...toItemLines(items, type === 'ordered_list', depth),
    ...toBlocks(block).flatMap((each) => toBlockLines(each, depth + 1)),
  ]
}

function toHeading(text: string): string {
  return `### ${text.trim().replaceAll(/\s*\n\s*/g, ' ')}`
}

function toItemLines(items: readonly JsonObject[], isOrdered: boolean, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return []
  return items.flatMap((item, i) => {
    const own = toItemText(textAt(item, 'title'), textOf(item))
    const inside = [
      ...toTableLines(item),
      ...toItemLines(itemsOf(item), item['type'] === 'ordered_list', depth + 1),
      ...toBlocks(item).flatMap((each) => toBlockLines(each, depth + 1)),
    ]
    if (own === '') return inside
    return [`${isOrdered ? `${i + 1}.` : '-'} ${indent(own)}`, ...inside.map((line) => `  ${indent(line)}`)]
  })
}

/** Lines after an item's first belong to it. */
function indent(text: string): string {
  return text.trim().replaceAll('\n', '\n  ')
}

/** What an item's text begins with, before a colon: Google sets it in bold, and the services drop the mark. */
const LABEL = /^[^.,;:!?：。*_`[\n]{1,60}[:：](?=\s)/

/** An item's title is often the beginning of its text. */
function toItemText(title: string | undefined, text: string | undefined): string {
  const label = title?.trim()
  if (label === undefined) return text?.replace(LABEL, '**$&**') ?? ''
  const rest = text?.trim()
  if (rest?.startsWith(label)) return `**${label}**${rest.slice(label.length)}`
  return defined([`**${label}**`, rest]).join(' ')
}

function textOf(block: JsonObject): string | undefined {
  return TEXT_FIELDS.map((field) => textAt(block, field)).find((text) => text !== undefined)
}

/** The items of a list; short ones may be bare strings, named ones the members of an object. */
function itemsOf(block: JsonObject): readonly JsonObject[] {
  const lists = ITEM_FIELDS.flatMap((field) => toList(block[field]))
  const named = NAMED_FIELDS.flatMap((field) => Object.entries(objectAt(block, field) ?? {}))
  return [
    ...named.map(([title, snippet]) => ({ title, snippet })),
    ...lists.map((item) => (isObject(item) ? item : { snippet: item })),
  ]
}

function toBlocks(block: JsonObject): readonly JsonObject[] {
  return BLOCK_FIELDS.flatMap((field) => objectsAt(block, field))
}

/** A table is rows of cells, or its headers and rows; a comparison has a row a feature, and its products above. */
function toTableLines(block: JsonObject): readonly string[] {
  const { table } = block
  const features = objectsAt(block, 'comparison')
  const rows = [
    ...(isObject(table) ? [table['headers'], ...toList(table['rows'])] : toList(table)),
    ...(features.length > 0 ? [['', ...toList(block['product_labels'])]] : []),
    ...features.map((feature) => [
      textAt(feature, 'feature') ?? textAt(feature, 'title'),
      ...toList(feature['values']),
    ]),
  ]
  return rows.filter((row) => Array.isArray(row)).map((row) => row.map(toCell).join(' | ').trim())
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A cell is a string or an object with a text. */
function toCell(cell: unknown): string {
  return isObject(cell) ? pieceAt(cell, 'snippet') : typeof cell === 'string' ? cell : ''
}
