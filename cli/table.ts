import Table from 'cli-table3'
import type { Io } from './io.ts'

/** Rows as aligned columns under their titles, without lines. Numbers stand to the right. Nothing for no rows. */
export function printTable(io: Io, titles: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length > 0) io.stdout.write(renderTable(titles, rows))
}

export type Cell = string | number | boolean | null

/** The text of a table; every line ends with a line break. */
export function renderTable(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: titles.map((title) => title.toUpperCase()),
    colAligns: titles.map((_, column) => (rows.some((row) => typeof row[column] === 'number') ? 'right' : 'left')),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  for (const row of rows) table.push(row.map(toText))
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const

/** A value as a person reads it: nothing is `-`, a whole number has its thousands apart; control characters are shown, not obeyed. */
function toText(cell: Cell): string {
  if (cell === null || cell === '') return '-'
  if (typeof cell === 'number') return cell.toLocaleString('en-US')
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return cell.replaceAll(/\p{Cc}/gu, toEscape)
}

/** As JSON writes it: `\n`, `\u001b`. */
function toEscape(control: string): string {
  const text = JSON.stringify(control)
  return text.length > 3 ? text.slice(1, -1) : `\\u00${control.charCodeAt(0).toString(16)}`
}

/** A timestamp to the minute, `2026-11-20 07:03`; null stays. All times are UTC. */
export function toMinute(timestamp: string | null): string | null {
  return timestamp === null ? null : timestamp.slice(0, 16).replace('T', ' ')
}
