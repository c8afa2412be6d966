import type { Block } from './tree.ts'

/** How deep lists and quotes may stand in each other; what goes deeper is a paragraph. */
const DEPTH_MAX = 6
const COLUMNS_MAX = 30
const FENCE = /^ *(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/
const ITEM = /^( *)(?:([-*+])\s+|([•‣▪–])\s*|(\d{1,9})[.)]\s+)(?=\S)/
const QUOTE = /^ {0,3}> ?/

/** Reads paragraphs, headings, lists, quotes, code and tables out of an answer, in time that grows with its length. */
export function readBlocks(text: string): readonly Block[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^[ \t]+/, (indent) => indent.replaceAll('\t', '    ')))
  return readLines(lines, 0)
}

function readLines(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    const [block, length] =
      readCode(lines, at) ??
      readSingle(line) ??
      (depth < DEPTH_MAX ? (readQuote(lines, at, depth) ?? readList(lines, at, depth)) : undefined) ??
      readTable(lines, at) ??
      readParagraph(lines, at, depth)
    blocks.push(block)
    at += length
  }
  return blocks
}

/** A block, and how many lines it takes. */
type Found = readonly [Block, number]

function readCode(lines: readonly string[], at: number): Found | undefined {
  const fence = FENCE.exec(lines[at] ?? '')?.[1]
  if (fence === undefined) return undefined
  const isEnd = (line: string): boolean =>
    line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === ''
  const length = countWhile(lines, at + 1, (line) => !isEnd(line))
  const text = lines.slice(at + 1, at + 1 + length).join('\n')
  return [{ kind: 'code', text }, Math.min(length + 2, lines.length - at)]
}

function readSingle(line: string): Found | undefined {
  if (isRule(line)) return [{ kind: 'rule' }, 1]
  const [, signs, text] = HEADING.exec(line) ?? []
  if (signs === undefined || text === undefined) return undefined
  return [{ kind: 'heading', level: signs.length, text: text.trimEnd().replace(/ #{1,6}$/, '') }, 1]
}

/** Three or more of one of `-*_` and nothing else. */
function isRule(line: string): boolean {
  const signs = line.replaceAll(' ', '')
  return signs.length >= 3 && '-*_'.includes(signs.charAt(0)) && signs === signs.charAt(0).repeat(signs.length)
}

function readQuote(lines: readonly string[], at: number, depth: number): Found | undefined {
  const length = countWhile(lines, at, (line) => QUOTE.test(line))
  if (length === 0) return undefined
  const inner = lines.slice(at, at + length).map((line) => line.replace(QUOTE, ''))
  return [{ kind: 'quote', blocks: readLines(inner, depth + 1) }, length]
}

function readList(lines: readonly string[], at: number, depth: number): Found | undefined {
  const first = toItem(lines[at])
  if (first === undefined) return undefined
  const items: (readonly Block[])[] = []
  let next = at
  for (;;) {
    const item = toItem(lines[next])
    if (item === undefined || item.isOrdered !== first.isOrdered || item.indent > first.indent + 3) break
    const length = 1 + countOfItem(lines, next + 1, item.indent)
    const [head = '', ...rest] = lines.slice(next, next + length)
    const inner = [head.slice(item.width), ...rest.map((line) => line.slice(Math.min(toIndent(line), item.width)))]
    items.push(readLines(inner, depth + 1))
    next += length
    const blank = countWhile(lines, next, (line) => line.trim() === '')
    if (toItem(lines[next + blank]) === undefined) break
    next += blank
  }
  return [{ kind: 'list', start: first.start, items }, Math.max(1, next - at)]
}

interface Item {
  readonly indent: number
  /** Of its sign with the spaces around it. */
  readonly width: number
  readonly isOrdered: boolean
  readonly start: number | undefined
}

function toItem(line: string | undefined): Item | undefined {
  const found = line === undefined || isRule(line) ? null : ITEM.exec(line)
  if (found === null) return undefined
  const [all, indent = '', , , number] = found
  const isOrdered = number !== undefined
  return { indent: indent.length, width: all.length, isOrdered, start: isOrdered ? Number(number) : undefined }
}

/** Lines that belong to an item: those further in, blank ones among them, and the rest of its first paragraph. */
function countOfItem(lines: readonly string[], from: number, indent: number): number {
  let [count, isParagraph] = [0, true]
  for (let at = from; at < lines.length;) {
    const blank = countWhile(lines, at, (line) => line.trim() === '')
    const line = lines[at + blank]
    if (blank > 0) isParagraph = false
    if (line === undefined) break
    const isInside = toIndent(line) > indent
    if (!isInside && (!isParagraph || startsBlock(lines, at + blank, 0))) break
    if (isInside && toItem(line) !== undefined) isParagraph = true
    count += blank + 1
    at += blank + 1
  }
  return count
}

const toIndent = (line: string): number => line.length - line.trimStart().length

function readTable(lines: readonly string[], at: number): Found | undefined {
  if (!startsTable(lines, at)) return undefined
  const head = toCells(lines[at] ?? '', COLUMNS_MAX)
  const length = countWhile(lines, at + 2, (line) => line.includes('|') && line.trim() !== '')
  const rows = lines.slice(at + 2, at + 2 + length).map((line) => toCells(line, head.length))
  return [{ kind: 'table', head, rows }, length + 2]
}

function startsTable(lines: readonly string[], at: number): boolean {
  const [head = '', border = ''] = [lines[at], lines[at + 1]]
  return head.includes('|') && border.includes('|') && border.includes('-') && /^[\s|:-]+$/.test(border)
}

/** At most so many cells; what goes beyond stays in the last one. */
function toCells(line: string, max: number): readonly string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  const cells = inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
  return cells.length <= max ? cells : [...cells.slice(0, max - 1), cells.slice(max - 1).join(' | ')]
}

function readParagraph(lines: readonly string[], at: number, depth: number): Found {
  let end = at + 1
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !startsBlock(lines, end, depth)) end += 1
  const text = lines
    .slice(at, end)
    .map((line) => line.trim())
    .join('\n')
  return [{ kind: 'paragraph', text }, end - at]
}

function startsBlock(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] ?? ''
  if (FENCE.test(line) || isRule(line) || HEADING.test(line) || startsTable(lines, at)) return true
  return depth < DEPTH_MAX && (QUOTE.test(line) || toItem(line) !== undefined)
}

function countWhile(lines: readonly string[], from: number, holds: (line: string) => boolean): number {
  let end = from
  while (end < lines.length && holds(lines[end] ?? '')) end += 1
  return end - from
}
