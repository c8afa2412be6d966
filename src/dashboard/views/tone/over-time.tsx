import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { today } from '../../clock.ts'
import { listDays } from '../../days.ts'
import { toLongDay, toPercent } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { LineChart } from '../../parts/line-chart.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useRows } from '../../use-reply.ts'
import type { ViewProps } from '../view-props.ts'
import { shareColumn } from './by-engine.tsx'
import { readShown, type Share, type Shown, toEngineLines, toToneLines } from './lines.ts'
import { SHARE_TITLES } from './share-titles.ts'

export interface OverTimeProps extends ViewProps {
  readonly days: Question<Schemas['SentimentRow']>
  readonly daysByEngine: Question<Schemas['SentimentRow']>
}

/** The shares of the tones from day to day, of all answers or of each engine. */
export function OverTime({ state, range, days: byDay, daysByEngine }: OverTimeProps) {
  const shown = readShown(state.more['show'])
  const question = shown === 'all' ? byDay : daysByEngine
  const asked = useRows(question)
  const rows = asked.value ?? []
  const days = listDays(range)
  const lines = shown === 'all' ? toToneLines(rows, days) : toEngineLines(rows, days, shown)
  const caption =
    shown === 'all'
      ? 'Shares of the answers that name you, by day in UTC. A day on which no answer named you is a gap.'
      : `Share of ${shown} answers among those that name you, by engine and day in UTC.`
  return (
    <Panel
      title="Tone over time"
      sentence={caption}
      method="tone"
      questions={[question]}
      loading={[asked]}
      skeleton="chart"
      numbers={<Numbers caption={caption} rows={rows} shown={shown} />}
      controls={
        <Segments
          label="Lines"
          value={shown}
          options={[
            { value: 'all', title: 'All tones' },
            { value: 'negative', title: 'Negative by engine' },
            { value: 'positive', title: 'Positive by engine' },
          ]}
          onPick={(value) => changeUrl({ more: { show: value === 'all' ? '' : value } })}
        />
      }
    >
      <LineChart
        days={days}
        lines={lines}
        format={toPercent}
        caption={caption}
        max={1}
        unfinishedFrom={today()}
        onRange={(from, to) => changeUrl({ from, to })}
      />
    </Panel>
  )
}

interface NumbersProps {
  readonly caption: string
  readonly rows: readonly Schemas['SentimentRow'][]
  readonly shown: Shown
}

function Numbers({ caption, rows, shown }: NumbersProps) {
  const shares: readonly Share[] = shown === 'all' ? ['negative', 'neutral', 'positive'] : [shown]
  return (
    <DataTable<Schemas['SentimentRow']>
      caption={caption}
      rows={rows}
      keyOf={({ date = '', platform = '' }) => `${date} ${platform}`}
      columns={[
        { title: 'Day', cell: ({ date = '' }) => toLongDay(date), sortBy: ({ date = '' }) => date },
        ...(shown === 'all'
          ? []
          : [
              {
                title: 'Engine',
                cell: ({ platform }: Schemas['SentimentRow']) => platform !== undefined && ENGINE_NAMES[platform],
              },
            ]),
        ...shares.map((share) => shareColumn(SHARE_TITLES[share], share)),
      ]}
    />
  )
}
