import type { Schemas } from '../../../client/client.ts'
import type { Question } from '../../api.ts'
import { toCount } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { changeUrl } from '../../navigation.ts'
import { textColumn } from '../../parts/columns.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Pick } from '../../parts/pick.tsx'
import { Rate } from '../../parts/rate.tsx'
import { useRows } from '../../use-reply.ts'
import { countTone } from '../answers/questions.ts'
import type { ViewProps } from '../view-props.ts'
import type { Share } from './lines.ts'
import { ToneBar } from './tone-bar.tsx'

type Row = Schemas['SentimentRow']

/** How each engine speaks of the own brand. A click on an engine makes it a filter. */
export function ByEngine({ question }: ViewProps & { readonly question: Question<Row> }) {
  const asked = useRows(question)
  const rows = (asked.value ?? []).filter(({ answers_mentioning }) => answers_mentioning > 0)
  return (
    <Panel
      title="Tone by engine"
      sentence="Shares of each engine’s answers that name you."
      method="tone"
      questions={[question]}
      loading={[asked]}
    >
      <DataTable<Row>
        caption="Tone by engine"
        rows={rows}
        keyOf={({ platform = '' }) => platform}
        empty={<Empty kind="none" title="No answer names you in these days." />}
        columns={[
          textColumn(
            'Engine',
            ({ platform = '' }) => platform,
            ({ platform }) =>
              platform !== undefined && (
                <Pick class="engine-name" to={() => changeUrl({ engines: [platform] })}>
                  {ENGINE_NAMES[platform]}
                </Pick>
              ),
          ),
          { title: 'All', cell: (row) => <ToneBar row={row} /> },
          shareColumn('Negative', 'negative'),
          shareColumn('Positive', 'positive'),
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
export const shareColumn = (title: string, share: Share): Column<Row> => ({
  title,
  isNumber: true,
  sortBy: (row) => row[share],
  cell: (row) => (
    <Rate
      metric={share}
      share={row[share]}
      count={row[`${share}_answers`]}
      of={row.answers_mentioning}
      low={row[`${share}_low`]}
      high={row[`${share}_high`]}
    />
  ),
})
