import type { Cell, RowColumn } from './columns.ts'

/** Rows as text: a table of cells, or a JSON object a line (contract/api 14). */
export const ROW_FORMATS = ['csv', 'ndjson'] as const
export type RowFormat = (typeof ROW_FORMATS)[number]

/** What stands before the first row: CSV's line of names. */
export function toHead(format: RowFormat, columns: readonly RowColumn[]): string {
  return format === 'csv' ? toCsvLine(columns.map(({ name }) => name)) : ''
}

/** Rows, a line each; an NDJSON line is the row as the JSON answer has it. */
export function toLines(format: RowFormat, columns: readonly RowColumn[], rows: readonly unknown[]): string {
  const toLine =
    format === 'csv'
      ? (row: unknown) => toCsvLine(columns.map(({ read }) => read(row)))
      : (row: unknown) => `${JSON.stringify(row)}\n`
  return rows.map(toLine).join('')
}

/** RFC 4180: commas, quotes only where they are needed, CRLF behind every line. */
function toCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(toCsvCell).join(',')}\r\n`
}

function toCsvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return JSON.stringify(cell)
  const harmless = RUN_BY_SPREADSHEETS.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Spreadsheets take a text that begins so for a formula, which may send what stands in other cells away. */
const RUN_BY_SPREADSHEETS = /^[=+\-@\t\r]/
