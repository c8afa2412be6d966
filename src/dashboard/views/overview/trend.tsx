import type { Schemas } from '../../../client/client.ts'
import { today } from '../../clock.ts'
import { listDays } from '../../days.ts'
import { toCount, toLongDay, toPercent } from '../../format.ts'
import { changeUrl } from '../../navigation.ts'
import { rateColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { LineChart } from '../../parts/line-chart.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toLines } from '../visibility/lines.ts'
import type { PartProps } from './part-props.ts'

/** How often the own brand is named, day by day. */
export function Trend({ range, questions, replies }: PartProps) {
  const rows = replies.days.value ?? []
  const days = listDays(range)
  const [name = ''] = rows.map(({ brand }) => brand.name)
  const missing = days.length - rows.length
  const sentence = `Share of each day’s answers that name ${name}, with its 95 % interval. ${
    missing === 0
      ? 'Every day has answers.'
      : `${toCount(missing)} of ${toCount(days.length)} days have no answers and are gaps.`
  }`
  return (
    <Panel
      title="Named in answers, day by day"
      sentence={sentence}
      questions={[questions.days]}
      method="mention-rate"
      loading={[replies.days]}
      skeleton="chart"
      numbers={
        <DataTable<Schemas['VisibilityRow']>
          caption={sentence}
          rows={rows}
          keyOf={({ date = '' }) => date}
          columns={[
            { title: 'Day', cell: ({ date = '' }) => toLongDay(date), sortBy: ({ date = '' }) => date },
            rateColumn('Named', 'mention_rate'),
          ]}
        />
      }
    >
      <LineChart
        days={days}
        lines={toLines(rows, days, 'mention_rate', 'brand', [{ key: name, name }])}
        format={toPercent}
        caption={sentence}
        max={1}
        unfinishedFrom={today()}
        onRange={(from, to) => changeUrl({ from, to })}
      />
    </Panel>
  )
}
