import { useState } from 'preact/hooks'
import type { ScanBudget, ScanLook } from '../../../http/dashboard/operations/get-scan.ts'
import type { Schemas } from '../../api.ts'
import { toCount, toCountOf, toLongDay, toMinute, toMoney, toMoneyRange } from '../../format.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { isOwner } from '../../session.ts'
import { RunDialog } from './run-dialog.tsx'
import { countDone } from './scan-look.ts'

interface TodayProps {
  readonly site: Schemas['Site']
  readonly look: ScanLook
  readonly onChange: () => void
}

/** What a scan would ask today, what that costs, what is left of the budget; and the way to begin it. */
export function Today({ site, look, onChange }: TodayProps) {
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
            <b>{toCountOf(open.calls, 'call')}</b>
            <small class="quiet">
              {toCount(plan.made)} of {toCount(plan.calls)} made today
            </small>
          </dd>
        </div>
        <div>
          <dt>Cost of what is open</dt>
          <dd>
            <b>{open.calls === 0 ? toMoney(0) : toMoneyRange(open.cost_usd_low, open.cost_usd_high)}</b>
            <small class="quiet">
              {open.calls === 0
                ? 'nothing is left to ask'
                : `the upper figure is reserved; ${toCountOf(plan.minutes, 'minute')} at most, or so`}
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
            <li key={`${target} ${reason}`}>
              <b>{target}</b> is not asked for {toCountOf(prompts, 'prompt')}: {reason}
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
            onChange()
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
        <b>A scan runs</b> since {since}: {toCount(done)} of {toCountOf(calls, 'call')} of the day are over.
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
    { title: 'Budget of the day', spent: budget.spent_usd_day, limit: budget.usd_day },
    { title: 'Budget of the month', spent: budget.spent_usd_month, limit: budget.usd_month },
  ]
  return (
    <>
      {spans.map(({ title, spent, limit }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>
            <b>{toMoney(spent)}</b> {limit === null ? 'spent, no limit' : `of ${toMoney(limit)} spent`}
            {limit !== null && <meter min={0} max={limit} value={spent} aria-label={`${title}, spent`} />}
          </dd>
        </div>
      ))}
    </>
  )
}
