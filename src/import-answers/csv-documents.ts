import { isUtf8 } from 'node:buffer'
import { parse } from 'csv-parse/sync'
import { countLines } from '../input/json-scanner.ts'
import { ANSWER_RECORD_BYTES_MAX } from '../limits.ts'
import { type Document, type DocumentReader, EXCERPT_BYTES, TOO_LONG } from './document.ts'

const NEWLINE = 0x0a
const QUOTE = 0x22

/** Columns of Bright Data's rows that hold JSON as text (contract/payloads 11.1). */
const JSON_COLUMNS: ReadonlySet<string> = new Set([
  'citations',
  'links_attached',
  'sources',
  'search_sources',
  'web_search_query',
  'search_model_queries',
  'metadata',
  'input',
])

/** Whether a file starts with the header of Bright Data's rows: a prompt and its answer. */
export function isCsv(head: Buffer): boolean {
  const header =
    head
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/, 1)[0] ?? ''
  if (header.startsWith('{') || header.startsWith('[')) return false
  const columns = header.split(',').map((column) => column.trim().replaceAll('"', ''))
  return columns.includes('prompt') && columns.some((column) => /^answer_text(?:_markdown)?$|^answer$/.test(column))
}

/**
 * Rows of a Bright Data CSV file as the objects that its JSON form has; the first row names the columns. Rows are told
 * apart here and parsed one by one: csv-parse as a stream stops at a row over its limit, and a broken row takes the next with it.
 */
export class CsvReader implements DocumentReader {
  #bytes: Buffer = Buffer.alloc(0)
  /** Up to here the row under way was searched for its end. */
  #searched = 0
  #isQuoted = false
  #isSkipping = false
  #line = 1
  #columns: readonly string[] | undefined

  push(bytes: Buffer): Document[] {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    const documents: Document[] = []
    for (let end = this.#findRowEnd(); end !== -1; end = this.#findRowEnd()) documents.push(...this.#takeRow(end))
    if (this.#bytes.length > ANSWER_RECORD_BYTES_MAX) documents.push(...this.#skipRow())
    return documents
  }

  end(): Document[] {
    return this.#bytes.length === 0 ? [] : this.#takeRow(this.#bytes.length)
  }

  /** The next line break outside quotes; a doubled quote inside them leaves it as it was. */
  #findRowEnd(): number {
    for (;;) {
      const lineEnd = this.#bytes.indexOf(NEWLINE, this.#searched)
      const end = lineEnd === -1 ? this.#bytes.length : lineEnd
      if (!this.#isSkipping && countQuotes(this.#bytes, this.#searched, end) % 2 === 1) this.#isQuoted = !this.#isQuoted
      this.#searched = end + (lineEnd === -1 ? 0 : 1)
      if (lineEnd === -1 || !this.#isQuoted) return lineEnd
    }
  }

  #takeRow(end: number): Document[] {
    const row = this.#bytes.subarray(0, end)
    const line = this.#line
    const wasSkipping = this.#isSkipping
    this.#line += countLines(row, 0, row.length) + 1
    this.#bytes = this.#bytes.subarray(Math.min(end + 1, this.#bytes.length))
    this.#searched = 0
    this.#isQuoted = false
    this.#isSkipping = false
    if (wasSkipping || row.length === 0 || row.toString('latin1').trim() === '') return []
    return this.#read(row, line)
  }

  #read(row: Buffer, line: number): Document[] {
    if (row.length > ANSWER_RECORD_BYTES_MAX)
      return [{ line, text: row.toString('utf8', 0, EXCERPT_BYTES), reason: TOO_LONG, array: 0 }]
    const text = row.toString('utf8').replace(/^\uFEFF/, '')
    if (!isUtf8(row)) return [{ line, text, reason: 'invalid UTF-8', array: 0 }]
    const cells = parseRow(text)
    if (typeof cells === 'string') return [{ line, text, reason: `not valid CSV: ${cells}`, array: 0 }]
    if (!this.#columns) {
      this.#columns = cells.map((cell) => cell.trim())
      return []
    }
    const json = toObject(this.#columns, cells)
    return [typeof json === 'string' ? { line, text, reason: json, array: 0 } : { line, text, json, array: 0 }]
  }

  /** A row that is too long is said to be so once; what follows is dropped up to the next line break. */
  #skipRow(): Document[] {
    const wasSkipping = this.#isSkipping
    const fault = {
      line: this.#line,
      text: this.#bytes.toString('utf8', 0, EXCERPT_BYTES),
      reason: TOO_LONG,
      array: 0,
    }
    this.#line += countLines(this.#bytes, 0, this.#bytes.length)
    this.#bytes = Buffer.alloc(0)
    this.#searched = 0
    this.#isQuoted = false
    this.#isSkipping = true
    return wasSkipping ? [] : [fault]
  }
}

/** The cells of one row, or what is wrong with it. */
function parseRow(text: string): string[] | string {
  try {
    const rows: string[][] = parse(text, { relax_column_count: true })
    return rows[0] ?? []
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A row as an object without its empty cells, or what is wrong with it. */
function toObject(columns: readonly string[], cells: readonly string[]): object | string {
  if (cells.length !== columns.length) return `not valid CSV: found ${cells.length} cells; wanted ${columns.length}`
  const entries: [string, unknown][] = []
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? ''
    if (cell === '') continue
    const value = JSON_COLUMNS.has(column) && /^\s*[[{]/.test(cell) ? parseCell(cell) : cell
    if (value === undefined) return `${column}: not valid JSON`
    entries.push([column, value])
  }
  return Object.fromEntries(entries)
}

function parseCell(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}

function countQuotes(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(QUOTE, start); at !== -1 && at < end; at = bytes.indexOf(QUOTE, at + 1)) count += 1
  return count
}
