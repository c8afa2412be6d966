import { toShortDay } from '../format.ts'
import { DataTable } from './data-table.tsx'

/** A line over days: null is a day without data and leaves a gap. */
export interface Line {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The interval of each day, where there is one. */
  readonly low?: readonly (number | null)[]
  readonly high?: readonly (number | null)[]
  /** How many answers or hits each value stands on, for what is said of a day. */
  readonly counts?: readonly (number | null)[]
  readonly isOwn?: boolean
}

export interface LineChartProps {
  /** UTC days, ascending, none left out. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
  /** How a value is written: on the axis and when a day is read out. */
  readonly format: (value: number) => string
  /** Says what is seen in a sentence. */
  readonly caption: string
  /** The greatest value that there can be, of shares 1. */
  readonly max?: number
  /** The days from this one on aren't over: dashed. */
  readonly unfinishedFrom?: string
  /** A drag over days; both included. */
  readonly onRange?: (from: string, to: string) => void
}

/** Lines over days with their intervals. */
export function LineChart({ days, lines, format, caption }: LineChartProps) {
  return (
    <figure class="line-chart">
      <figcaption class="unseen">{caption}</figcaption>
      <DataTable
        caption={caption}
        rows={days.map((day, index) => ({ day, index }))}
        keyOf={({ day }) => day}
        columns={[
          { title: 'Day', cell: ({ day }) => toShortDay(day) },
          ...lines.map(({ name, values }) => ({
            title: name,
            isNumber: true,
            cell: ({ index }: { readonly index: number }) => {
              const value = values[index]
              return typeof value === 'number' ? format(value) : 'no data'
            },
          })),
        ]}
      />
    </figure>
  )
}
