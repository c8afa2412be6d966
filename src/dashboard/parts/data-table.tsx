import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  /** Numbers are set flush right. */
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** What the table is sorted by when the reader clicks on the title; without it the column can't be sorted by. */
  readonly sortBy?: (row: Row) => number | string
}

export interface DataTableProps<Row> {
  /** Says what the table holds, for those who don't see it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly empty?: ComponentChildren
}

export function DataTable<Row>({ caption, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} class={isNumber ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
