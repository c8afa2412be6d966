import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../client/client.ts'
import { toCount, toMoment } from '../format.ts'
import { type Metric, toMeasured } from '../metrics.ts'
import type { Column } from './data-table.tsx'
import { RateOf } from './rate.tsx'
import { Value } from './value.tsx'

/** A text to sort by, shown as it is or as `cell` shows it. */
export const textColumn = <Row,>(
  title: string,
  read: (row: Row) => string,
  cell: (row: Row) => ComponentChildren = read,
): Column<Row> => ({ title, sortBy: read, cell })

/** A text that may be long. */
export const wideColumn = <Row,>(...column: Parameters<typeof textColumn<Row>>): Column<Row> => ({
  ...textColumn(...column),
  isWide: true,
})

/** A number that has no name in the API, or `–` where there is none; `1,440` unless `format` writes it otherwise. */
export const amountColumn = <Row,>(
  title: string,
  read: (row: Row) => number | null,
  format: (value: number) => string = toCount,
): Column<Row> => ({
  title,
  isNumber: true,
  sortBy: read,
  cell: (row) => {
    const value = read(row)
    return value === null ? '–' : format(value)
  },
})

/** The same of a number that programs read off the page under the API's name of it. */
export const numberColumn = <Row,>(
  title: string,
  metric: string,
  read: (row: Row) => number | null,
  format?: (value: number) => string,
): Column<Row> => {
  const column = amountColumn(title, read, format)
  return {
    ...column,
    cell: (row) => (
      <Value metric={metric} value={read(row)}>
        {column.cell(row)}
      </Value>
    ),
  }
}

/** A share of the visibility report, with its counts and interval. */
export const rateColumn = (title: string, metric: Metric): Column<Schemas['VisibilityRow']> => ({
  title,
  isNumber: true,
  sortBy: (row) => toMeasured(row, metric).value,
  cell: (row) => <RateOf row={row} metric={metric} />,
})

/** A moment in UTC, or `never`, quietly, where there is none. */
export const momentColumn = <Row,>(
  title: string,
  read: (row: Row) => string | null | undefined,
  format: (timestamp: string) => string = toMoment,
): Column<Row> => ({
  title,
  sortBy: (row) => read(row) ?? null,
  cell: (row) => {
    const at = read(row)
    return at ? <span class="when">{format(at)}</span> : <span class="quiet">never</span>
  },
})
