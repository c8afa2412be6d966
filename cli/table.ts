import stringWidth from 'string-width'
import { show } from '../src/show.ts'
import type { Io } from './io.ts'
import { widthOf, wrap } from './wrap.ts'

/**
 * Rows as aligned columns under their titles, without lines. Numbers stand to the right. Nothing for no rows. On a terminal
 * that is too narrow texts are wrapped, and where even words would break, each row is a block of lines.
 */
export function printTable(io: Io, titles: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length > 0) io.stdout.write(renderTable(titles, rows, widthOf(io.stdout)))
}

export type Cell = string | number | boolean | null

/** The text of a table of at most `width` columns; every line ends with a line break. */
export function renderTable(titles: readonly string[], rows: readonly (readonly Cell[])[], width = Infinity): string {
  const columns = titles.map((title, index) =>
    measure(
      title.toUpperCase(),
      rows.map((row) => row[index] ?? null),
    ),
  )
  const widths = shrink(columns, width - GAP * (columns.length - 1))
  if (widths === undefined)
    return rows
      .map((row) =>
        renderRecord(
          titles.map((title, index) => [title, row[index] ?? null]),
          width,
        ),
      )
      .join('\n')
  return layOut(
    [titles.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(toText))],
    columns.map(({ isNumeric }, index) => ({ isNumeric, width: widths[index] ?? 0 })),
  )
}

/** One thing with its parts, each on lines of its own beside its name. */
export function printRecord(io: Io, parts: readonly (readonly [string, Cell])[]): void {
  io.stdout.write(renderRecord(parts, widthOf(io.stdout) ?? Infinity))
}

function renderRecord(parts: readonly (readonly [string, Cell])[], width: number): string {
  const labels = parts.map(([label]) => label.toUpperCase())
  const label = Math.max(...labels.map((text) => stringWidth(text)))
  const value = measure(
    '',
    parts.map(([, cell]) => toText(cell)),
  )
  return layOut(
    parts.map(([, cell], index) => [labels[index] ?? '', toText(cell)]),
    [{ width: label }, { width: Math.max(value.least, Math.min(value.natural, width - label - GAP)) }],
  )
}

const GAP = 2

interface Column {
  readonly isNumeric: boolean
  /** What its widest text takes. */
  readonly natural: number
  /** What its longest word takes; numbers are not broken at all. */
  readonly least: number
}

function measure(title: string, cells: readonly Cell[]): Column {
  const isNumeric = cells.some((cell) => typeof cell === 'number')
  const texts = [title, ...cells.map(toText)]
  // A column may have millions of words, more than a call takes arguments.
  const widest = (parts: readonly string[]): number =>
    parts.reduce((most, part) => Math.max(most, stringWidth(part)), 0)
  const natural = widest(texts)
  return { isNumeric, natural, least: isNumeric ? natural : widest(texts.flatMap((text) => text.split(' '))) }
}

/** Widths that are `total` together at most, taken from the widest columns; undefined where words would break. */
function shrink(columns: readonly Column[], total: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural)
  let surplus = widths.reduce((sum, width) => sum + width, 0) - total
  while (surplus > 0) {
    const able = columns.flatMap(({ least }, index) => ((widths[index] ?? 0) > least ? [index] : []))
    const widest = able.reduce(
      (best, index) => ((widths[index] ?? 0) > (widths[best] ?? 0) ? index : best),
      able[0] ?? -1,
    )
    if (widest < 0) return undefined
    widths[widest] = (widths[widest] ?? 0) - 1
    surplus -= 1
  }
  return widths
}

/** Rows of texts, each in lines of its column's width. */
function layOut(
  rows: readonly (readonly string[])[],
  columns: readonly { readonly width: number; readonly isNumeric?: boolean }[],
): string {
  const lines = rows.flatMap((row) => {
    const cells = columns.map(({ width }, index) => wrap(row[index] ?? '', width, stringWidth))
    const height = Math.max(...cells.map((cell) => cell.length))
    return Array.from({ length: height }, (_, lineNo) =>
      columns
        .map(({ width, isNumeric }, index) => {
          const text = cells[index]?.[lineNo] ?? ''
          const padding = ' '.repeat(Math.max(0, width - stringWidth(text)))
          return isNumeric ? padding + text : text + padding
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
  })
  return `${lines.join('\n')}\n`
}

/** A value as a person reads it: nothing is `-`, a whole number has its thousands apart. */
function toText(cell: Cell): string {
  if (cell === null || cell === '') return '-'
  if (typeof cell === 'number') return cell.toLocaleString('en-US')
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return show(cell)
}

/** A timestamp to the minute, `2026-11-20 07:03`; null stays. All times are UTC. */
export function toMinute(timestamp: string | null): string | null {
  return timestamp === null ? null : timestamp.slice(0, 16).replace('T', ' ')
}
