import type { ScanLook, ScanTarget } from '../../../http/dashboard/operations/get-scan.ts'
import { toMoney } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { numberColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { Value } from '../../parts/value.tsx'
import { MoneyRange } from './money-range.tsx'

/** Whom the service asks, and what a call costs. */
export function Targets({ look: { targets } }: { readonly look: ScanLook }) {
  return (
    <Panel
      title="Targets"
      sentence="Who is asked for each engine. A shadow is tried beside the main target: its answers are kept, and in no report."
      questions={[]}
      method="scan"
      loading={[]}
    >
      <DataTable<ScanTarget>
        caption="Targets with their cost"
        rows={targets}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Target', sortBy: ({ id }) => id, cell: (target) => <TargetName target={target} /> },
          textColumn(
            'Asked at',
            ({ provider_name }) => provider_name,
            ({ provider_name, model }) => <TwoLines below={model}>{provider_name}</TwoLines>,
          ),
          {
            title: 'A call',
            isNumber: true,
            sortBy: ({ call_usd_high }) => call_usd_high,
            cell: ({ call_usd_low, call_usd_high }) => (
              <MoneyRange metric="call_usd" low={call_usd_low} high={call_usd_high} />
            ),
          },
          numberColumn('Calls a day', 'planned_calls', ({ planned_calls }) => planned_calls),
          numberColumn('Open today', 'open.calls', ({ open }) => open.calls),
          {
            title: 'Cost of open',
            isNumber: true,
            sortBy: ({ open }) => open.cost_usd_high,
            cell: ({ open }) =>
              open.calls === 0 ? (
                '–'
              ) : (
                <MoneyRange metric="open.cost_usd" low={open.cost_usd_low} high={open.cost_usd_high} />
              ),
          },
          { title: 'Own limit', isNumber: true, cell: (target) => <OwnLimit target={target} /> },
        ]}
      />
    </Panel>
  )
}

function TargetName({ target: { id, engine, role, problem } }: { readonly target: ScanTarget }) {
  return (
    <>
      <TwoLines below={role === 'shadow' ? `${id}, a shadow` : id}>
        <b>{ENGINE_NAMES[engine]}</b>
      </TwoLines>
      {problem !== null && <small class="warn block">{problem}</small>}
    </>
  )
}

function OwnLimit({ target: { usd_day, usd_month } }: { readonly target: ScanTarget }) {
  if (usd_day === null && usd_month === null) return <>–</>
  return (
    <>
      {usd_day !== null && (
        <Value metric="usd_day" value={usd_day}>
          {toMoney(usd_day)} a day
        </Value>
      )}
      {usd_day !== null && usd_month !== null && ', '}
      {usd_month !== null && (
        <Value metric="usd_month" value={usd_month}>
          {toMoney(usd_month)} a month
        </Value>
      )}
    </>
  )
}
