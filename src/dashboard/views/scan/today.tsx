import { useState } from 'preact/hooks'
import type { ScanBudget, ScanLook } from '../../../http/dashboard/operations/get-scan.ts'
import type { Schemas } from '../../../client/client.ts'
import { toCount, toCountOf, toLongDay, toMinute, toMoney } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Value } from '../../parts/value.tsx'
import { isOwner } from '../../session.ts'
import { forgetReplies } from '../../use-reply.ts'
import { MoneyRange } from './money-range.tsx'
import { RunDialog } from './run-dialog.tsx'
import { countDone } from './scan-look.ts'

interface TodayProps {
  readonly site: Schemas['Site']
  readonly look: ScanLook
}

/** What a scan would ask today, what that costs, what is left of the budget; and the way to begin it. */
export function Today({ site, look }: TodayProps) {
  const [isAsked, ask] = useState(false)
  const { plan, running, schedules } = look
  const { open, budget, cannot } = plan
  return (
    <Panel
      title="Today"
      sentence={`${toLongDay(plan.date)} (UTC). Each prompt is asked once a day on each target${plan.samples > 1 ? `, ${plan.samples} times` : ''}; a second scan asks what is still open.`}
      questions={[]}
      method="scan"
      loading={[]}
      controls={
        isOwner() &&
        running === null && (
          <Button kind="primary" isDisabled={open.calls === 0} onClick={() => ask(true)}>
            Run now…
          </Button>
        )
      }
    >
      {running !== null && <Progress look={look} />}
      <dl class="facts">
        <div>
          <dt>Open</dt>
          <dd>
            <b>
              <Value metric="open.calls" value={open.calls}>
                {toCountOf(open.calls, 'call')}
              </Value>
            </b>
            <small class="quiet">
              <Value metric="made" value={plan.made}>
                {toCount(plan.made)}
              </Value>{' '}
              of{' '}
              <Value metric="calls" value={plan.calls}>
                {toCount(plan.calls)}
              </Value>{' '}
              made today
            </small>
          </dd>
        </div>
        <div>
          <dt>Cost of what is open</dt>
          <dd>
            <b>
              <MoneyRange metric="open.cost_usd" low={open.cost_usd_low} high={open.cost_usd_high} />
            </b>
            <small class="quiet">
              {open.calls === 0 ? (
                'nothing is left to ask'
              ) : (
                <>
                  the upper figure is reserved;{' '}
                  <Value metric="minutes" value={plan.minutes}>
                    {toCountOf(plan.minutes, 'minute')}
                  </Value>{' '}
                  at most, or so
                </>
              )}
            </small>
          </dd>
        </div>
        <Budget budget={budget} />
        <div>
          <dt>Schedule</dt>
          <dd>
            {schedules.length === 0 ? (
              <b>none</b>
            ) : (
              schedules.map(({ cron, zone, next_at }) => (
                <span key={`${cron} ${zone}`}>
                  <b>{next_at === null ? 'never again' : toMinute(next_at)}</b>
                  <small class="quiet">
                    {cron} ({zone}), by a server with --scan
                  </small>
                </span>
              ))
            )}
            {schedules.length === 0 && <small class="quiet">scan.json has none for this site</small>}
          </dd>
        </div>
      </dl>
      {cannot.length > 0 && (
        <ul class="problems">
          {cannot.map(({ target, reason, prompts }) => (
            <li key={`${target} ${reason}`} data-key={`${target} ${reason}`}>
              <b>{target}</b> is not asked for{' '}
              <Value metric="prompts" value={prompts}>
                {toCountOf(prompts, 'prompt')}
              </Value>
              : {reason}
            </li>
          ))}
        </ul>
      )}
      {isAsked && (
        <RunDialog
          site={site}
          look={look}
          onClose={() => ask(false)}
          onBegun={() => {
            ask(false)
            forgetReplies()
          }}
        />
      )}
    </Panel>
  )
}

function Progress({ look: { running, last } }: Pick<TodayProps, 'look'>) {
  const { done, calls } = countDone(last?.targets ?? [])
  const since = running === null ? '' : toMinute(running.started_at)
  return (
    <div class="progress" role="status">
      <p>
        <b>A scan runs</b> since {since}:{' '}
        <Value metric="done" value={done}>
          {toCount(done)}
        </Value>{' '}
        of{' '}
        <Value metric="last.calls" value={calls}>
          {toCountOf(calls, 'call')}
        </Value>{' '}
        of the day are over.
      </p>
      <progress max={Math.max(1, calls)} value={done} aria-label="Calls that are over" />
    </div>
  )
}

function Budget({ budget }: { readonly budget: ScanBudget | null }) {
  if (budget === null || (budget.usd_day === null && budget.usd_month === null)) {
    return (
      <div>
        <dt>Budget</dt>
        <dd>
          <b>none</b>
          <small class="quiet">a run needs a limit of its own</small>
        </dd>
      </div>
    )
  }
  const spans = [
    { title: 'Budget of the day', of: 'usd_day', spent: budget.spent_usd_day, limit: budget.usd_day },
    { title: 'Budget of the month', of: 'usd_month', spent: budget.spent_usd_month, limit: budget.usd_month },
  ]
  return (
    <>
      {spans.map(({ title, of, spent, limit }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <b>
              <Value metric={`budget.spent_${of}`} value={spent}>
                {toMoney(spent)}
              </Value>
            </b>{' '}
            {limit === null ? (
              'spent, no limit'
            ) : (
              <>
                of{' '}
                <Value metric={`budget.${of}`} value={limit}>
                  {toMoney(limit)}
                </Value>{' '}
                spent
              </>
            )}
            {limit !== null && <meter min={0} max={limit} value={spent} aria-label={`${title}, spent`} />}
          </dd>
        </div>
      ))}
    </>
  )
}
