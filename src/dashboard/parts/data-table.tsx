import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { toCount } from '../format.ts'

export interface Column<Row> {
  readonly title: string
  /** Numbers are set flush right. */
  readonly isNumber?: boolean
  /** Only said aloud: over buttons, which say it themselves. */
  readonly isTitleUnseen?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** What the table is sorted by when the reader clicks on the title; without it the column can't be sorted by. Null comes last. */
  readonly sortBy?: (row: Row) => number | string | null
  /** Long texts: cut to two lines, whole in the tip. */
  readonly isWide?: boolean
}

export interface DataTableProps<Row> {
  /** Says what the table holds, for those who don't see it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly empty?: ComponentChildren
  /** Rows of a page; 25 unless given. */
  readonly pageSize?: number
  /** The row that a reader looks at beside the table. */
  readonly isChosen?: (row: Row) => boolean
}

interface Order {
  readonly title: string
  readonly isDescending: boolean
}

/** A table that the reader sorts and pages. Unsorted it keeps the order of `rows`. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, empty, pageSize = 25, isChosen } = props
  const [order, setOrder] = useState<Order | undefined>()
  const of = JSON.stringify([order, rows.map(keyOf)])
  const [turned, setTurned] = useState({ of, page: 0 })
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>
  const sorted = sort(rows, columns, order)
  // A page is of these rows in this order; others begin at the first.
  const page = turned.of === of ? turned.page : 0
  const shown = sorted.slice(page * pageSize, (page + 1) * pageSize)
  return (
    <>
      <div class="table-frame" tabIndex={0} role="region" aria-label={caption}>
        <table>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.title} column={column} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)} data-key={keyOf(row)} class={isChosen?.(row) ? 'chosen' : undefined}>
                {columns.map(({ title, isNumber, isWide, cell }) => (
                  <td key={title} class={isNumber ? 'number' : isWide ? 'wide' : undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pages
        of={caption}
        page={page}
        size={pageSize}
        total={rows.length}
        onTurn={(to) => setTurned({ of, page: to })}
      />
    </>
  )
}

interface HeadProps<Row> {
  readonly column: Column<Row>
  readonly order: Order | undefined
  readonly onOrder: (order: Order) => void
}

function Head<Row>({ column: { title, isNumber, isTitleUnseen, sortBy }, order, onOrder }: HeadProps<Row>) {
  const isSorted = order?.title === title
  const isDescending = isSorted ? order.isDescending : undefined
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={isDescending === undefined ? undefined : isDescending ? 'descending' : 'ascending'}
    >
      {sortBy === undefined ? (
        <span class={isTitleUnseen ? 'unseen' : undefined}>{title}</span>
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => onOrder({ title, isDescending: isSorted ? !order.isDescending : isNumber === true })}
        >
          {title}
        </button>
      )}
    </th>
  )
}

function sort<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | undefined): readonly Row[] {
  const sortBy = columns.find(({ title }) => title === order?.title)?.sortBy
  if (sortBy === undefined || order === undefined) return rows
  const sign = order.isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [sortBy(a), sortBy(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' && typeof right === 'string') return sign * left.localeCompare(right)
    return sign * (Number(left) - Number(right))
  })
}

export interface PagesProps {
  /** What the pages are of, where there are several lists. */
  readonly of?: string
  /** From 0. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onTurn: (page: number) => void
}

/** Back and forth through a long list; nothing where it fits one page. */
export function Pages({ of, page, size, total, onTurn }: PagesProps) {
  if (total <= size) return null
  const last = Math.ceil(total / size) - 1
  return (
    <nav class="pages" aria-label={of === undefined ? 'Pages' : `Pages: ${of}`}>
      <span class="quiet">
        {toCount(page * size + 1)}–{toCount(Math.min(total, (page + 1) * size))} of {toCount(total)}
      </span>
      <button type="button" class="button button-plain" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        Back
      </button>
      <button type="button" class="button button-plain" disabled={page >= last} onClick={() => onTurn(page + 1)}>
        Next
      </button>
    </nav>
  )
}
