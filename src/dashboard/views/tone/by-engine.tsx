import type { Question, Schemas } from '../../api.ts'
import { toCount } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { change } from '../../navigation.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Rate } from '../../parts/rate.tsx'
import { useRows } from '../../use-answer.ts'
import { countTone } from '../answers/questions.ts'
import type { ViewProps } from '../index.ts'
import type { Share } from './lines.ts'
import { ToneBar } from './tone-bar.tsx'

type Row = Schemas['SentimentRow']

/** How each engine speaks of the own brand. A click on an engine makes it a filter. */
export function ByEngine({ state, question }: ViewProps & { readonly question: Question }) {
  const asked = useRows<Row>(question)
  const rows = (asked.value ?? []).filter(({ answers_mentioning }) => answers_mentioning > 0)
  return (
    <Panel
      title="Tone by engine"
      sentence="Shares of each engine’s answers that name you."
      method="tone"
      questions={[question]}
      loading={[asked]}
    >
      <DataTable
        caption="Tone by engine"
        rows={rows}
        keyOf={({ platform = '' }) => platform}
        empty={<Empty kind="none" title="No answer names you in these days." />}
        columns={[
          {
            title: 'Engine',
            cell: ({ platform }) =>
              platform !== undefined && (
                <button type="button" class="link engine-name" onClick={() => change(state, { engines: [platform] })}>
                  {ENGINE_NAMES[platform]}
                </button>
              ),
            sortBy: ({ platform = '' }) => platform,
          },
          { title: 'All', cell: (row) => <ToneBar row={row} /> },
          {
            title: 'Negative',
            isNumber: true,
            cell: (row) => <ShareCell row={row} share="negative" />,
            sortBy: ({ negative }) => negative,
          },
          {
            title: 'Positive',
            isNumber: true,
            cell: (row) => <ShareCell row={row} share="positive" />,
            sortBy: ({ positive }) => positive,
          },
          {
            title: 'Not judged',
            isNumber: true,
            cell: (row) => `${toCount(countTone(row).not_judged)} of ${toCount(row.answers_mentioning)}`,
            sortBy: (row) => countTone(row).not_judged,
          },
        ]}
      />
    </Panel>
  )
}

/** A tone's share with its counts and interval. */
export function ShareCell({ row, share }: { readonly row: Row; readonly share: Share }) {
  return (
    <Rate
      metric={share}
      share={row[share]}
      count={row[`${share}_answers`]}
      of={row.answers_mentioning}
      low={row[`${share}_low`]}
      high={row[`${share}_high`]}
    />
  )
}
