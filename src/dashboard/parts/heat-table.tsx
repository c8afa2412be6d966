import type { ComponentChildren } from 'preact'
import { toCount, toCountOf } from '../format.ts'
import { Pick } from './pick.tsx'

/** A cell: its share, and what it stands on. */
export interface HeatCell {
  /** From 0 to 1, or of `max`. */
  readonly value: number
  /** Answers behind it. */
  readonly n: number
  /** Too little to lean on: hatched, and said. */
  readonly isUnreliable?: boolean
  /** What a screen reader and the tip say beside the value: `12 of 41, 18–44 %`, or `41 answers, 38–44`. */
  readonly basis: string
  /** Where a click leads, or what it changes here. */
  readonly to?: string | (() => void) | undefined
}

export interface HeatTableProps<Row, Column> {
  /** What the cells are, as the API names it; the page says it with each exact value. */
  readonly metric?: string
  readonly caption: string
  /** What the rows are: the head of the first column. */
  readonly rowTitle: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column[]
  readonly keyOf: (row: Row) => string
  readonly rowLabel: (row: Row) => ComponentChildren
  readonly columnLabel: (column: Column) => string
  /** A click on a column's title, where it does something. */
  readonly onColumn?: (column: Column) => (() => void) | undefined
  /** Undefined where nothing was asked. */
  readonly cell: (row: Row, column: Column) => HeatCell | undefined
  readonly format: (value: number) => string
  readonly max?: number
}

/** A table whose cells are shaded by their value; each has its n. */
export function HeatTable<Row, Column>(props: HeatTableProps<Row, Column>) {
  const {
    metric,
    caption,
    rowTitle,
    rows,
    columns,
    keyOf,
    rowLabel,
    columnLabel,
    onColumn,
    cell,
    format,
    max = 1,
  } = props
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={caption}>
      <table class="heat">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{rowTitle}</th>
            {columns.map((column) => (
              <th key={columnLabel(column)} scope="col" class="number">
                <ColumnTitle title={columnLabel(column)} onPick={onColumn?.(column)} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)}>
              <th scope="row">{rowLabel(row)}</th>
              {columns.map((column) => (
                <HeatTableCell
                  key={columnLabel(column)}
                  metric={metric}
                  cell={cell(row, column)}
                  format={format}
                  max={max}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ColumnTitleProps {
  readonly title: string
  readonly onPick: (() => void) | undefined
}

function ColumnTitle({ title, onPick }: ColumnTitleProps) {
  if (onPick === undefined) return <>{title}</>
  return (
    <button type="button" class="column-pick" onClick={onPick} title={`Only ${title}`}>
      {title}
    </button>
  )
}

export interface HeatTableCellProps {
  readonly metric: string | undefined
  readonly cell: HeatCell | undefined
  readonly format: (value: number) => string
  readonly max: number
}

const LEVELS = 8

/** One cell of such a table, for tables that have other columns too. */
export function HeatTableCell({ metric, cell, format, max }: HeatTableCellProps) {
  if (cell === undefined) return <td class="number quiet">–</td>
  const { value, n, isUnreliable = false, basis, to } = cell
  const level = Math.round(Math.min(1, Math.max(0, value / max)) * LEVELS)
  const said = isUnreliable ? `${basis}, too little to lean on` : basis
  const answers = toCountOf(n, 'answer')
  return (
    <td
      data-metric={metric}
      data-value={value}
      class={`number heat-${level}${isUnreliable ? ' hatched' : ''}`}
      title={said}
    >
      <Pick to={to} label={`${format(value)} ${said.startsWith(answers) ? said : `${answers}, ${said}`}`}>
        {format(value)} <small>{toCount(n)}</small>
      </Pick>
    </td>
  )
}
