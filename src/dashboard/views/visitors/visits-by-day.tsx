import type { Question, Schemas } from '../../api.ts'
import { Panel } from '../../parts/panel.tsx'
import { useRows } from '../../use-answer.ts'
import type { ViewProps } from '../index.ts'
import { CountChart, CountTable, listBegunDays } from '../logs/count-chart.tsx'
import { toDailyLines } from '../logs/daily-lines.ts'
import { describeSilence, useHeardDays } from '../logs/heard-days.ts'
import { toSourceName } from './source-names.ts'

const LINES_MAX = 6
const CAPTION = 'Visits by day'

interface VisitsByDayProps extends Pick<ViewProps, 'state' | 'site' | 'range'> {
  readonly question: Question
}

/** Visits by day, a line a source. */
export function VisitsByDay({ state, site, range, question }: VisitsByDayProps) {
  const rows = useRows<Schemas['ReferralRow']>(question)
  const heard = useHeardDays(site, range)
  const days = listBegunDays(range)
  const counts = (rows.value ?? []).map(({ date = '', referral_source: group = '', visits: count = 0 }) => ({
    date,
    group,
    count,
  }))
  const lines =
    heard === undefined
      ? []
      : toDailyLines(counts, { days, heard, most: LINES_MAX, nameOf: toSourceName, restName: 'All others' })
  const sentence = `Page views a UTC day that an answer engine sent.${heard === undefined ? '' : describeSilence(days, heard)}`
  return (
    <Panel
      title="Visits by day"
      sentence={sentence}
      questions={[question]}
      method="visitors"
      loading={[rows]}
      skeleton="chart"
      numbers={<CountTable days={days} lines={lines} caption={CAPTION} metric="visits" />}
    >
      <CountChart state={state} days={days} lines={lines} caption={`${CAPTION}. ${sentence}`} metric="visits" />
    </Panel>
  )
}
