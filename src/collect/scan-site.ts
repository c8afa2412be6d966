import type { ChangeContext } from '../change/change-lake.ts'
import type { Budget } from '../domain/call.ts'
import { toDay } from '../domain/day.ts'
import type { Site } from '../domain/site.ts'
import type { EngineId } from '../domain/enums.ts'
import { CommandError, ScanIsRunning } from '../errors.ts'
import { systemRandom } from '../ids.ts'
import { findMarket } from '../reference/markets.ts'
import type { ScanPlan } from './plan.ts'
import { getProvider } from './providers/index.ts'
import type { Target } from './providers/provider.ts'
import type { RunTotals } from './run-counts.ts'
import { retryUncertain, runScan, type ScanContext, type ScanResult } from './run-scan.ts'
import { planSite, type ScanSetup, type SitePlanRequest } from './scan-setup.ts'
import { toPace } from './targets.ts'

/** What a scan of a site stands on. */
export interface ScanStand {
  readonly change: ChangeContext
  readonly config: { readonly dataDir: string; readonly enginesOff: readonly EngineId[] }
  /** For proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly setup: ScanSetup
}

export interface ScanWork {
  /** The most that this run may spend, in micro-dollars. */
  readonly runMicros?: number | undefined
  /** Aborted: no further call is begun; those under way are waited for. */
  readonly signal?: AbortSignal | undefined
  /** Aborted: those under way are given up, and are uncertain. */
  readonly abandon?: AbortSignal | undefined
  readonly onProgress?: (totals: RunTotals) => void
  /** Called once, when another scan of the site runs. */
  readonly onWait?: () => void
  /** False: another scan of the site isn't waited for, `ScanIsRunning` is thrown. */
  readonly mayWait?: boolean
  /** Called with the run's id inside the transaction that begins the run, for what is to be noted with it. */
  readonly noteBegun?: ((runId: string) => void) | undefined
  /** Called with the run's id before anything is asked. */
  readonly onBegun?: (runId: string) => void
}

export interface SiteScan {
  readonly plan: ScanPlan
  readonly result: ScanResult
}

/**
 * Plans a scan of a site for the present UTC day, asks what wasn't asked yet, and imports the answers. One scan of a site runs
 * at a time, whoever began it. Rejects with CommandError where nothing can be asked, or without a budget.
 */
export async function scanSite(
  stand: ScanStand,
  site: Site,
  what: Pick<SitePlanRequest, 'promptIds' | 'platforms' | 'samples'>,
  work: ScanWork,
): Promise<SiteScan> {
  const { change, config, setup } = stand
  return whileAlone(stand, site, work, async () => {
    const { clock, catalog } = change
    const plan = planSite(setup, catalog.prompts, {
      site,
      day: toDay(clock.now()),
      seed: Buffer.from(systemRandom.bytes(4)).readUInt32BE(0),
      enginesOff: config.enginesOff,
      ...what,
    })
    if (plan.calls.length === 0) throw describeEmpty(site, plan)
    const targets = plan.byTarget.map(({ target }) => target)
    return { plan, result: await runScan(toContext(stand, requireBudget(setup, targets, work), work), site, plan) }
  })
}

/** Asks a site's uncertain calls of a UTC day again, which may buy them twice. Rejects as `scanSite`. */
export async function retrySite(stand: ScanStand, site: Site, day: string, work: ScanWork): Promise<ScanResult> {
  return whileAlone(stand, site, work, async () => {
    const seed = Buffer.from(systemRandom.bytes(4)).readUInt32BE(0)
    const budget = requireBudget(stand.setup, stand.setup.targets, work)
    return retryUncertain(toContext(stand, budget, work), site, { day, seed })
  })
}

async function whileAlone<T>(
  { change }: ScanStand,
  site: Site,
  { onWait, mayWait = true, signal }: ScanWork,
  work: () => Promise<T>,
): Promise<T> {
  const { leases } = change.catalog
  const name = `scan/${site.id}`
  const lease = mayWait
    ? await leases.acquire(name, { ...(onWait && { onWait }), ...(signal && { signal }) })
    : leases.tryAcquire(name)
  if (lease === undefined) throw new ScanIsRunning(`A scan of ${site.domain} runs already. Wait for its end.`)
  try {
    return await work()
  } finally {
    lease.release()
  }
}

function toContext({ change, config, environment, setup }: ScanStand, budget: Budget, work: ScanWork): ScanContext {
  return {
    change,
    dataDir: config.dataDir,
    environment,
    secrets: setup.secrets,
    targets: setup.targets,
    getProvider,
    findMarket,
    toPace: (id) => toPace(setup.config, getProvider(id)),
    budget,
    signal: work.signal,
    abandon: work.abandon,
    onProgress: (totals) => work.onProgress?.(totals),
    noteBegun: work.noteBegun,
    onBegun: work.onBegun,
  }
}

/** A paid call needs a limit: of the run, of the organization, or of its own target. */
function requireBudget({ config }: ScanSetup, targets: readonly Target[], { runMicros }: ScanWork): Budget {
  const budget = config.budget ?? { dayMicros: undefined, monthMicros: undefined, targets: new Map() }
  const isBounded = (limits: Partial<Budget> | undefined): boolean =>
    limits?.dayMicros !== undefined || limits?.monthMicros !== undefined
  const unbounded = targets.filter(({ id }) => !isBounded(budget.targets.get(id)))
  if (runMicros === undefined && !isBounded(budget) && unbounded.length > 0) {
    throw new CommandError(
      `There is no budget for ${unbounded.map(({ id }) => id).join(', ')}, and a paid call needs one. Give --budget USD, or add "budget": {"usd_day": 5} to ${config.path}.`,
    )
  }
  return { ...budget, runMicros }
}

function describeEmpty(site: Site, { cannot }: ScanPlan): CommandError {
  return cannot.length === 0
    ? new CommandError(`${site.domain} has no active prompt to ask. Add some: answerlake prompts add`)
    : new CommandError(`Nothing can be asked for ${site.domain}:`, {
        faults: cannot.map(({ target, reason }) => `${target.id}: ${reason}`),
      })
}
