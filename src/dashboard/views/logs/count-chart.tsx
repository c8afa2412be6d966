import { today } from '../../clock.ts'
import { type DayRange, listDays } from '../../days.ts'
import { toCount } from '../../format.ts'
import { change } from '../../navigation.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { LineChart, type Line } from '../../parts/line-chart.tsx'
import { Value } from '../../parts/value.tsx'
import type { ViewState } from '../../url-state.ts'

export interface CountsByDayProps {
  readonly days: readonly string[]
  readonly lines: readonly Line[]
  /** Says what is counted: `Crawler hits by day`. */
  readonly caption: string
  /** The API's name of it: `hits`. */
  readonly metric: string
}

/** The days of a range that have begun. */
export function listBegunDays(range: DayRange): readonly string[] {
  return listDays(range).filter((day) => day <= today())
}

/** Counts by day as lines; a drag makes the days the range. */
export function CountChart({ state, days, lines, caption }: CountsByDayProps & { readonly state: ViewState }) {
  return (
    <LineChart
      days={days}
      lines={lines}
      format={toCount}
      caption={caption}
      unfinishedFrom={today()}
      onRange={(from, to) => change(state, { from, to })}
    />
  )
}

/** The same as a table. */
export function CountTable({ days, lines, caption, metric }: CountsByDayProps) {
  return (
    <DataTable
      caption={caption}
      rows={days.map((day, index) => ({ day, index }))}
      keyOf={({ day }) => day}
      columns={[
        { title: 'Day (UTC)', cell: ({ day }) => day, sortBy: ({ day }) => day },
        ...lines.map(({ name, values }) => ({
          title: name,
          isNumber: true,
          sortBy: ({ index }: { readonly index: number }) => values[index] ?? null,
          cell: ({ index }: { readonly index: number }) => {
            const value = values[index]
            if (typeof value !== 'number') return <span class="quiet">no log</span>
            return (
              <Value metric={metric} value={value}>
                {toCount(value)}
              </Value>
            )
          },
        })),
      ]}
    />
  )
}
