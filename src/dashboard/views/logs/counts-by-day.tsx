import type { ComponentChildren } from 'preact'
import type { Question } from '../../api.ts'
import { today } from '../../clock.ts'
import { listDays } from '../../days.ts'
import { toCount } from '../../format.ts'
import type { Method } from '../../methods/anchors.ts'
import { changeUrl } from '../../navigation.ts'
import { LineChart } from '../../parts/line-chart.tsx'
import { LinesTable } from '../../parts/lines-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { toDailyLines } from './daily-lines.ts'
import { describeSilence, useHeardDays } from './heard-days.ts'

export interface CountsByDayProps<Row> extends Pick<ViewProps, 'site' | 'range'> {
  readonly question: Question<Row>
  readonly method: Method
  readonly title: string
  /** Says what is counted: `Crawler hits by day`. */
  readonly caption: string
  /** Says what a count is of, before what is said of days without a log. */
  readonly sentence: string
  /** The API's name of what is counted: `hits`. */
  readonly metric: string
  readonly count: (row: Row) => number
  /** What a row is counted to: there is a line for each. */
  readonly groupOf: (row: Row) => string
  readonly nameOf: (group: string) => string
  readonly controls?: ComponentChildren
}

const LINES_MAX = 6

/** Counts by day as lines, those with most first; a drag makes the days the range. */
export function CountsByDay<Row extends { readonly date?: string }>(props: CountsByDayProps<Row>) {
  const { site, range, question, method, title, caption, metric, count, groupOf, nameOf, controls } = props
  const rows = useRows(question)
  const heard = useHeardDays(site, range)
  const days = listDays(range).filter((day) => day <= today())
  const counts = (rows.value ?? []).map((row) => ({ date: row.date ?? '', group: groupOf(row), count: count(row) }))
  const lines =
    heard.value === undefined
      ? []
      : toDailyLines(counts, { days, heard: heard.value, most: LINES_MAX, nameOf, restName: 'All others' })
  const sentence = props.sentence + (heard.value === undefined ? '' : describeSilence(days, heard.value))
  const shown = { days, lines, format: toCount }
  return (
    <Panel
      title={title}
      sentence={sentence}
      questions={[question]}
      method={method}
      loading={[rows, heard]}
      skeleton="chart"
      controls={controls}
      numbers={
        <LinesTable
          {...shown}
          caption={caption}
          metric={metric}
          dayTitle="Day (UTC)"
          toDay={(day) => day}
          gap="no log"
        />
      }
    >
      <LineChart
        {...shown}
        caption={`${caption}. ${sentence}`}
        unfinishedFrom={today()}
        onRange={(from, to) => changeUrl({ from, to })}
      />
    </Panel>
  )
}
