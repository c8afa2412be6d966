import type { TargetSummary } from '../catalog/call-summary.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { toTimestamp } from '../clock.ts'
import type { ScanRun } from '../domain/call.ts'
import type { Site } from '../domain/site.ts'
import { toDollars } from './micros.ts'

/** What became of the calls of a site on a UTC day. */
export interface ScanState {
  readonly day: string
  /** The newest of the day. */
  readonly run: ScanRun | undefined
  readonly isRunning: boolean
  readonly targets: readonly TargetSummary[]
}

/** The state of a day, of the newest with a scan unless given; undefined where nothing was ever asked. */
export function readScanState(catalog: Catalog, site: Site, given?: string): ScanState | undefined {
  const runs = catalog.scanRuns.list(site.id, 'answer')
  const day = given ?? runs[0]?.day
  if (day === undefined) return undefined
  const run = runs.find((each) => each.day === day)
  return {
    day,
    run,
    isRunning: run !== undefined && catalog.scanRuns.findAlive(site.id, 'answer')?.id === run.id,
    targets: catalog.calls.summarize({ siteId: site.id, kind: 'answer', day }),
  }
}

/** As JSON: costs in US dollars. */
export function toStateJson(site: Site, state: ScanState | undefined) {
  return {
    site_id: site.id,
    date: state?.day ?? null,
    run: state?.run === undefined ? null : toRunJson(state.run, state.isRunning),
    targets: (state?.targets ?? []).map((one) => ({
      id: one.target,
      engine: one.engine,
      provider: one.provider,
      model: one.model ?? null,
      role: one.role,
      calls: one.calls,
      ...one.byStatus,
      searched: one.searched ?? null,
      cost_usd: toDollars(one.costMicros),
      reserved_usd: toDollars(one.reservedMicros),
      median_seconds: one.medianMs === undefined ? null : one.medianMs / 1_000,
      reasons: one.reasons,
    })),
  }
}

export function toRunJson(run: ScanRun, isRunning: boolean) {
  return {
    id: run.id,
    status: toScanStatus(run, isRunning),
    reason: run.reason ?? null,
    started_at: toTimestamp(run.startedMs),
    ended_at: run.endedMs === undefined ? null : toTimestamp(run.endedMs),
    cost_usd: toDollars(run.spentMicros),
  }
}

/** A run that nobody ended was cut off; the next one finds out what became of its calls. */
export function toScanStatus({ status }: ScanRun, isRunning: boolean): ScanRun['status'] | 'cut_off' {
  return status === 'running' && !isRunning ? 'cut_off' : status
}
