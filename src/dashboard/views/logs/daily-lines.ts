import type { Line } from '../../parts/line-chart.tsx'

/** A count of a group on a day, or of all groups where there are none. */
export interface DailyCount {
  readonly date: string
  readonly group: string
  readonly count: number
}

export interface DailyLinesOptions {
  /** Every day of the range, in order. */
  readonly days: readonly string[]
  /** Days on which the log says anything at all; on others nothing is known, so that no line has a 0 there. */
  readonly heard: ReadonlySet<string>
  /** As many groups get a line of their own, those with most; the rest is one line together. */
  readonly most: number
  readonly nameOf: (group: string) => string
  /** Of the line of the rest: `Other crawlers`. */
  readonly restName: string
}

/** Lines of counts by day, the group with most first. */
export function toDailyLines(counts: readonly DailyCount[], options: DailyLinesOptions): readonly Line[] {
  const { days, heard, most, nameOf, restName } = options
  const groups = [...Map.groupBy(counts, ({ group }) => group)]
    .map(([group, rows]) => ({ group, rows, total: sum(rows) }))
    .toSorted((a, b) => b.total - a.total || (a.group < b.group ? -1 : 1))
  const toLine = (name: string, rows: readonly DailyCount[]): Line => {
    const byDay = Map.groupBy(rows, ({ date }) => date)
    return { name, values: days.map((day) => (heard.has(day) ? sum(byDay.get(day) ?? []) : null)) }
  }
  // A rest of one is that one.
  const shown = groups.length === most + 1 ? groups : groups.slice(0, most)
  const rest = groups.slice(shown.length).flatMap(({ rows }) => rows)
  return [
    ...shown.map(({ group, rows }) => toLine(nameOf(group), rows)),
    ...(rest.length === 0 ? [] : [toLine(restName, rest)]),
  ]
}

const sum = (rows: readonly DailyCount[]): number => rows.reduce((total, { count }) => total + count, 0)
