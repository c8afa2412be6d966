import type { ScanLook, TargetOutcome } from '../../../http/dashboard/operations/get-scan.ts'
import { toCountOf, toLongDay, toMoney, toNumber } from '../../format.ts'
import { ENGINE_NAMES } from '../../names.ts'
import { numberColumn, textColumn } from '../../parts/columns.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TwoLines } from '../../parts/two-lines.tsx'
import { Value } from '../../parts/value.tsx'
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
      sentence={
        <>
          <Value metric="calls" value={calls}>
            {toCountOf(calls, 'call')}
          </Value>{' '}
          on {toLongDay(date)} (UTC).
        </>
      }
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
          numberColumn('Calls', 'calls', (target) => target.calls),
          numberColumn('Waiting', 'waiting', ({ planned, asked, task }) => planned + asked + task),
          numberColumn('Answered', 'answered', ({ answered }) => answered),
          numberColumn('No answer', 'no_answer', ({ no_answer }) => no_answer),
          numberColumn('Failed', 'failed', ({ failed }) => failed),
          numberColumn('Uncertain', 'uncertain', (target) => target.uncertain),
          numberColumn('Skipped', 'skipped_budget', ({ skipped_budget }) => skipped_budget),
          numberColumn('Cost', 'spent_usd', ({ cost_usd, reserved_usd }) => cost_usd + reserved_usd, toMoney),
          numberColumn('Seconds', 'median_seconds', ({ median_seconds }) => median_seconds, toNumber),
        ]}
      />
      {reasons.length > 0 && (
        <section class="reasons">
          <h3>Why some were not answered</h3>
          <ul>
            {reasons.map(({ target, status, reason, calls: count }) => (
              <li key={`${target} ${status} ${reason}`} data-key={`${target} ${status} ${reason}`}>
                <b>
                  <Value metric="calls" value={count}>
                    {toCountOf(count, 'call')}
                  </Value>
                </b>{' '}
                {STATUS_WORDS[status] ?? status}, {target}: <span class="quiet">{reason}</span>
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
