import type { ScanRun } from '../../../http/dashboard/operations/get-scan.ts'
import { toMoment, toMoney } from '../../format.ts'
import { momentColumn, numberColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'

const STATUS_WORDS: Readonly<Record<ScanRun['status'], string>> = {
  running: 'running',
  complete: 'complete',
  partial: 'partly done',
  failed: 'failed',
  cut_off: 'cut off; the next one goes on',
}
const STATUS_TONES: Readonly<Record<ScanRun['status'], string>> = {
  running: '',
  complete: 'good',
  partial: 'warn',
  failed: 'bad',
  cut_off: 'warn',
}

/** The last runs, newest first. */
export function Runs({ runs }: { readonly runs: readonly ScanRun[] }) {
  return (
    <Panel title="Runs" sentence="The last 20 at most." questions={[]} method="scan" loading={[]}>
      <DataTable<ScanRun>
        caption="Runs, newest first"
        rows={runs}
        keyOf={({ id }) => id}
        empty={<Empty kind="none" title="Nothing was asked yet" />}
        columns={[
          momentColumn('Begun (UTC)', ({ started_at }) => started_at),
          {
            title: 'Ended (UTC)',
            cell: ({ ended_at }) => ended_at !== null && <span class="when">{toMoment(ended_at)}</span>,
          },
          {
            title: 'Outcome',
            isWide: true,
            cell: ({ status, reason }) => (
              <TwoLines below={reason}>
                <span class={STATUS_TONES[status]}>{STATUS_WORDS[status]}</span>
              </TwoLines>
            ),
          },
          numberColumn('Cost', 'cost_usd', ({ cost_usd }) => cost_usd, toMoney),
        ]}
      />
    </Panel>
  )
}
