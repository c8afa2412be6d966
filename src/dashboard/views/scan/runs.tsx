import { toMoment } from '../../format.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toMoney } from './money.ts'
import type { ScanRun } from './scan-look.ts'

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
      <DataTable
        caption="Runs, newest first"
        rows={runs}
        keyOf={({ id }) => id}
        empty={<Empty kind="none" title="Nothing was asked yet" />}
        columns={[
          {
            title: 'Begun (UTC)',
            sortBy: ({ started_at }) => started_at,
            cell: ({ started_at }) => <span class="when">{toMoment(started_at)}</span>,
          },
          {
            title: 'Ended (UTC)',
            cell: ({ ended_at }) => ended_at !== null && <span class="when">{toMoment(ended_at)}</span>,
          },
          {
            title: 'Outcome',
            isWide: true,
            cell: ({ status, reason }) => (
              <>
                <span class={STATUS_TONES[status]}>{STATUS_WORDS[status]}</span>
                {reason !== null && <small class="quiet block">{reason}</small>}
              </>
            ),
          },
          {
            title: 'Cost',
            isNumber: true,
            sortBy: ({ cost_usd }) => cost_usd,
            cell: ({ cost_usd }) => toMoney(cost_usd),
          },
        ]}
      />
    </Panel>
  )
}
