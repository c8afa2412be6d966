import { toCount } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { toMoney, toMoneyRange } from './money.ts'
import type { ScanLook, ScanTarget } from './scan-look.ts'

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
      <DataTable
        caption="Targets with their cost"
        rows={targets}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Target', sortBy: ({ id }) => id, cell: (target) => <TargetName target={target} /> },
          {
            title: 'Asked at',
            sortBy: ({ provider_name }) => provider_name,
            cell: ({ provider_name, model }) => (
              <>
                {provider_name}
                {model !== null && <small class="quiet block">{model}</small>}
              </>
            ),
          },
          {
            title: 'A call',
            isNumber: true,
            sortBy: ({ call_usd_high }) => call_usd_high,
            cell: ({ call_usd_low, call_usd_high }) => toMoneyRange(call_usd_low, call_usd_high),
          },
          {
            title: 'Calls a day',
            isNumber: true,
            sortBy: ({ planned_calls }) => planned_calls,
            cell: ({ planned_calls }) => toCount(planned_calls),
          },
          {
            title: 'Open today',
            isNumber: true,
            sortBy: ({ open }) => open.calls,
            cell: ({ open }) => toCount(open.calls),
          },
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
      <b>{ENGINE_NAMES[engine]}</b>
      <small class="quiet block">
        {id}
        {role === 'shadow' && ', a shadow'}
      </small>
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
