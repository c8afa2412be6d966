import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { toCount, toCountOf } from '../../format.ts'
import { numberColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useRows } from '../../use-reply.ts'
import { toClock, toHoursOfDay, toHourSpan } from './hours.ts'

const CAPTION = 'Visits by hour of the day (UTC)'
const HEIGHT = 132

const toX = (hours: number): string => `${((hours / 24) * 100).toFixed(3)}%`

/** When in the day visitors come, all days of the range together. */
export function VisitsByHour({ question }: { readonly question: Question<Schemas['ReferralRow']> }) {
  const rows = useRows(question)
  const hours = toHoursOfDay(rows.value ?? [])
  const most = Math.max(...hours)
  const busiest = hours.indexOf(most)
  const sentence =
    most === 0
      ? 'No visits.'
      : `All days together. Most visits come from ${toHourSpan(busiest)} UTC: ${toCount(most)} of ${toCount(hours.reduce((sum, visits) => sum + visits, 0))}.`
  return (
    <Panel
      title="Hour of the day"
      sentence={sentence}
      questions={[question]}
      method="visitors"
      loading={[rows]}
      skeleton="chart"
      numbers={<HourTable hours={hours} />}
    >
      <figure class="hours">
        <figcaption class="unseen">{`${CAPTION}. ${sentence}`}</figcaption>
        <svg width="100%" height={HEIGHT + 20} role="img" aria-label={`${CAPTION}. ${sentence}`}>
          {hours.map((visits, hour) => {
            const height = most === 0 ? 0 : Math.max(visits === 0 ? 0 : 1, (visits / most) * HEIGHT)
            return (
              <g key={hour}>
                <title>{`${toHourSpan(hour)} UTC: ${toCountOf(visits, 'visit')}`}</title>
                <rect class="hour-room" x={toX(hour)} y="0" width={toX(1)} height={HEIGHT} />
                <rect
                  class="hour-bar"
                  x={toX(hour + 0.12)}
                  y={HEIGHT - height}
                  width={toX(0.76)}
                  height={height}
                  rx="2"
                />
                {hour % 6 === 0 && (
                  <text x={toX(hour + 0.12)} y={HEIGHT + 16}>
                    {toClock(hour)}
                  </text>
                )}
              </g>
            )
          })}
          <line class="hour-floor" x1="0" x2="100%" y1={HEIGHT} y2={HEIGHT} />
        </svg>
      </figure>
    </Panel>
  )
}

function HourTable({ hours }: { readonly hours: readonly number[] }) {
  return (
    <DataTable
      caption={CAPTION}
      rows={hours.map((visits, hour) => ({ visits, hour }))}
      keyOf={({ hour }) => String(hour)}
      columns={[
        { title: 'Hour (UTC)', cell: ({ hour }) => toHourSpan(hour), sortBy: ({ hour }) => hour },
        numberColumn<{ readonly visits: number }>('Visits', 'visits', ({ visits }) => visits),
      ]}
    />
  )
}
