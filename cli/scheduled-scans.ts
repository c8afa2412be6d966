import type { App } from '../src/app.ts'
import { toTimestamp } from '../src/clock.ts'
import { toDollars } from '../src/collect/micros.ts'
import type { SchedulerEvent } from '../src/collect/scheduler.ts'
import { CommandError } from '../src/errors.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import type { Context } from './command.ts'

/** Scans by schedule beside a server. */
export interface ScheduledScans {
  /** Lets calls under way end within the shutdown grace. */
  stop(): Promise<void>
}

/**
 * Starts scanning by the schedules of `scan.json`; what begins, ends and can't begin is a line of the log. Throws CommandError
 * where `scan.json` can't be used or has no schedules.
 */
export async function openScheduledScans(
  app: App,
  { io, environment, signal }: Pick<Context, 'io' | 'environment' | 'signal'>,
): Promise<{ start(): ScheduledScans }> {
  const [{ requireScanSetup }, { startScheduler }] = await Promise.all([
    import('../src/collect/scan-setup.ts'),
    import('../src/collect/scheduler.ts'),
  ])
  const { change, config } = app
  const { schedules, path } = (await requireScanSetup(config.dataDir, environment)).config
  if (schedules.length === 0) {
    throw new CommandError(`${path} has no schedules, so serve --scan would ask nothing. Add some, such as:`, {
      faults: ['"schedules": [{"site": "acme.com", "cron": "0 5 * * *", "zone": "Europe/Berlin", "jitter": "15m"}]'],
    })
  }
  return {
    start() {
      const scheduler = startScheduler({
        change,
        config,
        environment,
        log: (event) => logScan(app, io, event),
        onScanned: (site) => maintainAfterImport(app, site, { io, signal }),
      })
      return { stop: () => scheduler.stop(config.shutdownGraceMs) }
    },
  }
}

/** What begins and ends, and what can't begin, as a line of the log. */
export function logScan({ clock }: App, io: Pick<Context['io'], 'stderr'>, event: SchedulerEvent): void {
  io.stderr.write(`${JSON.stringify({ ...toLine(event), time: toTimestamp(clock.now()) })}\n`)
}

function toLine(event: SchedulerEvent): object {
  switch (event.kind) {
    case 'began':
      return { level: 'info', msg: 'scan began', site: event.site }
    case 'not_begun':
      return { level: 'warn', msg: 'scan could not start', site: event.site ?? null, problem: event.reason }
    case 'ended': {
      const { result, plan } = event.scan
      const { failed, uncertain, skippedBudget, left } = result
      return {
        level: failed + uncertain + skippedBudget + left + plan.cannot.length === 0 ? 'info' : 'warn',
        msg: 'scan ended',
        site: event.site,
        run_id: result.runId,
        calls: result.calls,
        answered: result.answered,
        no_answer: result.noAnswer,
        failed,
        uncertain,
        skipped_budget: skippedBudget,
        left,
        cost_usd: toDollars(result.costMicros),
        seconds: Math.round(result.seconds),
        ...(result.reasons[0] === undefined ? {} : { problem: result.reasons[0].reason }),
        not_asked: plan.cannot.map(({ target, reason }) => `${target.id}: ${reason}`),
      }
    }
  }
}
