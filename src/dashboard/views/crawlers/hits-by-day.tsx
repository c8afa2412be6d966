import type { Question, Schemas } from '../../api.ts'
import { change } from '../../navigation.ts'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useRows } from '../../use-answer.ts'
import type { ViewProps } from '../index.ts'
import { CountChart, CountTable, listBegunDays } from '../logs/count-chart.tsx'
import { toDailyLines } from '../logs/daily-lines.ts'
import { describeSilence, useHeardDays } from '../logs/heard-days.ts'
import { toBotTypeName, toProviderName } from './names.ts'
import { LINES_BY, type LinesBy, toLinesBy } from './questions.ts'

const LINES_MAX = 6
const CAPTION = 'Crawler hits by day'

const NAMES: Readonly<Record<LinesBy, (group: string) => string>> = {
  bot: (name) => name,
  purpose: toBotTypeName,
  provider: toProviderName,
}

interface HitsByDayProps extends Pick<ViewProps, 'state' | 'site' | 'range'> {
  readonly question: Question
}

/** Hits by day, a line a crawler, purpose or provider. */
export function HitsByDay({ state, site, range, question }: HitsByDayProps) {
  const by = toLinesBy(state)
  const field = LINES_BY[by]
  const rows = useRows<Schemas['BotRow']>(question)
  const heard = useHeardDays(site, range)
  const days = listBegunDays(range)
  const lines =
    heard === undefined
      ? []
      : toDailyLines(
          (rows.value ?? []).map((row) => ({ date: row.date ?? '', group: row[field] ?? '', count: row.hits ?? 0 })),
          { days, heard, most: LINES_MAX, nameOf: NAMES[by], restName: 'All others' },
        )
  const sentence = `Hits a UTC day, without spoofed ones.${heard === undefined ? '' : describeSilence(days, heard)}`
  return (
    <Panel
      title="Hits by day"
      sentence={sentence}
      questions={[question]}
      method="crawlers"
      loading={[rows]}
      skeleton="chart"
      controls={
        <Segments
          label="A line for each"
          value={by}
          options={[
            { value: 'bot', title: 'Crawler' },
            { value: 'purpose', title: 'Purpose' },
            { value: 'provider', title: 'Provider' },
          ]}
          onPick={(picked) => change(state, { more: { by: picked === 'bot' ? '' : picked } }, { replace: true })}
        />
      }
      numbers={<CountTable days={days} lines={lines} caption={CAPTION} metric="hits" />}
    >
      <CountChart state={state} days={days} lines={lines} caption={`${CAPTION}. ${sentence}`} metric="hits" />
    </Panel>
  )
}
