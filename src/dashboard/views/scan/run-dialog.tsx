import { useState } from 'preact/hooks'
import type { ScanLook } from '../../../http/dashboard/operations/get-scan.ts'
import type { Schemas } from '../../../client/client.ts'
import { change } from '../../api.ts'
import { toSitePath } from '../../site-path.ts'
import { toCount, toCountOf, toMoney } from '../../format.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { Value } from '../../parts/value.tsx'
import { MoneyRange } from './money-range.tsx'
import { leftOf } from './scan-look.ts'

interface RunDialogProps {
  readonly site: Schemas['Site']
  readonly look: ScanLook
  readonly onClose: () => void
  readonly onBegun: () => void
}

/** Says what a scan would cost, and begins it. */
export function RunDialog({ site, look: { plan, targets }, onClose, onBegun }: RunDialogProps) {
  const [limit, setLimit] = useState('')
  const { open, budget } = plan
  const left = leftOf(budget)
  const most = Math.min(open.cost_usd_high, left ?? Infinity, limit === '' ? Infinity : Number(limit))
  const asked = targets.filter((target) => target.open.calls > 0)
  return (
    <DialogForm
      title="Ask the engines now?"
      action={`Ask now, for ${toMoney(most)} at most`}
      onSubmit={async () => {
        const body = limit === '' ? {} : { budget_usd: Number(limit) }
        await change('POST', toSitePath(site.id, 'scan/run'), body)
        toast('The scan has begun. It goes on when you leave this page.')
        onBegun()
      }}
      onClose={onClose}
    >
      <p>
        <Value metric="open.calls" value={open.calls}>
          {toCountOf(open.calls, 'call')}
        </Value>{' '}
        for {site.domain}, paid from your own accounts: about{' '}
        <b>
          <MoneyRange metric="open.cost_usd" low={open.cost_usd_low} high={open.cost_usd_high} />
        </b>
        . It takes{' '}
        <Value metric="minutes" value={plan.minutes}>
          {toCountOf(plan.minutes, 'minute')}
        </Value>{' '}
        or so.
      </p>
      <table>
        <caption class="unseen">Calls by target, with their cost</caption>
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col" class="number">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {asked.map((target) => (
            <tr key={target.id} data-key={target.id}>
              <td>{target.id}</td>
              <td class="number">
                <Value metric="open.calls" value={target.open.calls}>
                  {toCount(target.open.calls)}
                </Value>
              </td>
              <td class="number">
                <MoneyRange metric="open.cost_usd" low={target.open.cost_usd_low} high={target.open.cost_usd_high} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">
        {left === undefined ? (
          'scan.json sets no limit of a day or month.'
        ) : (
          <>
            <Value metric="left_usd" value={left}>
              {toMoney(left)}
            </Value>{' '}
            is left of the budget; no call is begun that might exceed it.
          </>
        )}
      </p>
      <Field
        label="At most for this run, in US dollars"
        type="number"
        name="budget"
        min="0.01"
        step="0.01"
        value={limit}
        onInput={setLimit}
        isRequired={left === undefined}
        hint={left === undefined ? 'A paid call needs a limit.' : 'Empty: the budget of scan.json alone.'}
      />
    </DialogForm>
  )
}
