import type { ScanLook, ScanTarget } from '../../../http/dashboard/operations/get-scan.ts'
import { toMoney, toMoneyRange } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { amountColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'

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
            cell: ({ call_usd_low, call_usd_high }) => toMoneyRange(call_usd_low, call_usd_high),
          },
          amountColumn('Calls a day', ({ planned_calls }) => planned_calls),
          amountColumn('Open today', ({ open }) => open.calls),
          {
            title: 'Cost of open',
            isNumber: true,
            sortBy: ({ open }) => open.cost_usd_high,
            cell: ({ open }) => (open.calls === 0 ? '–' : toMoneyRange(open.cost_usd_low, open.cost_usd_high)),
          },
          { title: 'Own limit', isNumber: true, cell: describeLimit },
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

function describeLimit({ usd_day, usd_month }: ScanTarget): string {
  const limits = [
    ...(usd_day === null ? [] : [`${toMoney(usd_day)} a day`]),
    ...(usd_month === null ? [] : [`${toMoney(usd_month)} a month`]),
  ]
  return limits.length === 0 ? '–' : limits.join(', ')
}
