import type { ScanLook, TargetOutcome } from '../../../http/dashboard/operations/get-scan.ts'
import { toCountOf, toLongDay, toMoney, toNumber } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { amountColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { listReasons } from './scan-look.ts'

interface LastScanProps {
  readonly last: NonNullable<ScanLook['last']>
  readonly isRunning: boolean
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  failed: 'failed',
  uncertain: 'uncertain',
  skipped_budget: 'skipped',
}

/** What became of the calls of the last day with a scan, by target, and why some were not answered. */
export function LastScan({ last: { date, targets }, isRunning }: LastScanProps) {
  const reasons = listReasons(targets)
  const calls = targets.reduce((sum, target) => sum + target.calls, 0)
  const uncertain = targets.reduce((sum, target) => sum + target.uncertain, 0)
  return (
    <Panel
      title={isRunning ? 'So far today' : 'Last scan'}
      sentence={`${toCountOf(calls, 'call')} on ${toLongDay(date)} (UTC).`}
      questions={[]}
      method="scan"
      loading={[]}
    >
      <DataTable<TargetOutcome>
        caption="What became of the calls, by target"
        rows={targets}
        keyOf={({ id }) => id}
        columns={[
          textColumn(
            'Target',
            ({ id }) => id,
            ({ id, engine }) => (
              <TwoLines below={id}>
                <b>{ENGINE_NAMES[engine]}</b>
              </TwoLines>
            ),
          ),
          amountColumn('Calls', (target) => target.calls),
          amountColumn('Waiting', ({ planned, asked, task }) => planned + asked + task),
          amountColumn('Answered', ({ answered }) => answered),
          amountColumn('No answer', ({ no_answer }) => no_answer),
          amountColumn('Failed', ({ failed }) => failed),
          amountColumn('Uncertain', (target) => target.uncertain),
          amountColumn('Skipped', ({ skipped_budget }) => skipped_budget),
          amountColumn('Cost', ({ cost_usd, reserved_usd }) => cost_usd + reserved_usd, toMoney),
          amountColumn('Seconds', ({ median_seconds }) => median_seconds, toNumber),
        ]}
      />
      {reasons.length > 0 && (
        <section class="reasons">
          <h3>Why some were not answered</h3>
          <ul>
            {reasons.map(({ target, status, reason, calls: count }) => (
              <li key={`${target} ${status} ${reason}`}>
                <b>{toCountOf(count, 'call')}</b> {STATUS_WORDS[status] ?? status}, {target}:{' '}
                <span class="quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {uncertain > 0 && (
        <p class="quiet">
          An uncertain call was cut off after it was sent, so it may have been paid for; it is never repeated by itself.
          Look at the provider’s list of requests, then <code>answerlake scan retry --uncertain</code> asks it again.
        </p>
      )}
    </Panel>
  )
}
