import { toCount } from '../format.ts'
import { type Column, DataTable } from './data-table.tsx'
import type { LineChartProps } from './line-chart.tsx'
import { Value } from './value.tsx'

export interface LinesTableProps extends Pick<LineChartProps, 'days' | 'lines' | 'format' | 'caption'> {
  /** What the values are, as the API names it; the page says it with each exact value. */
  readonly metric: string
  /** The head of the days, and how they are written. */
  readonly dayTitle: string
  readonly toDay: (day: string) => string
  /** Said of a day without a value: `no answers`. */
  readonly gap: string
}

interface DayRow {
  readonly day: string
  /** Its place in the values of each line. */
  readonly index: number
}

/** What a chart of lines shows, as a table: a row a day, a column a line. */
export function LinesTable({ days, lines, format, caption, metric, dayTitle, toDay, gap }: LinesTableProps) {
  const toColumn = ({ name, values, counts }: LineChartProps['lines'][number]): Column<DayRow> => ({
    title: name,
    isNumber: true,
    sortBy: ({ index }) => values[index] ?? null,
    cell: ({ index }) => {
      const value = values[index] ?? null
      if (value === null) return <span class="quiet">{gap}</span>
      return (
        <Value metric={metric} value={value}>
          {format(value)}
          {counts && <small class="basis"> n = {toCount(counts[index] ?? 0)}</small>}
        </Value>
      )
    },
  })
  return (
    <DataTable<DayRow>
      caption={caption}
      rows={days.map((day, index) => ({ day, index }))}
      keyOf={({ day }) => day}
      columns={[{ title: dayTitle, cell: ({ day }) => toDay(day), sortBy: ({ day }) => day }, ...lines.map(toColumn)]}
    />
  )
}
