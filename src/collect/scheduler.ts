import { setTimeout as pause } from 'node:timers/promises'
import type { Lease } from '../catalog/leases.ts'
import type { ChangeContext } from '../change/change-lake.ts'
import type { Site } from '../domain/site.ts'
import { toDay } from '../domain/day.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { SCHEDULE_POLL_MS } from '../limits.ts'
import type { Schedule } from './scan-config.ts'
import { readScanSetup, type ScanSetup } from './scan-setup.ts'
import { scanSite, type ScanStand, type SiteScan } from './scan-site.ts'
import { type DueScan, findDue } from './schedule.ts'

export interface SchedulerOptions extends Omit<ScanStand, 'setup'> {
  /** What is worth a line of the log. */
  readonly log: (event: SchedulerEvent) => void
  /** After a scan that brought answers: looks after the lake. */
  readonly onScanned?: (site: Site) => Promise<void>
  /** How often it looks whether a scan is due. */
  readonly pollMs?: number
}

export type SchedulerEvent =
  | { readonly kind: 'began'; readonly site: string }
  | { readonly kind: 'ended'; readonly site: string; readonly scan: SiteScan }
  | { readonly kind: 'not_begun'; readonly site: string | undefined; readonly reason: string }

/** Scans by the schedules of `scan.json`, one site after the other, until it is stopped (contract/imports 4.6). */
export interface Scheduler {
  /** Begins no further call, and gives up those under way that take longer than `graceMs`; they are uncertain then. */
  stop(graceMs: number): Promise<void>
}

/**
 * Starts scanning by schedules. Of several processes on a data directory the one with the lease does it. `scan.json` is read
 * again each time, so that a change counts at once. What goes wrong is logged; nothing is thrown.
 */
export function startScheduler(options: SchedulerOptions): Scheduler {
  const stopping = new AbortController()
  const abandoning = new AbortController()
  const working = work(options, stopping.signal, abandoning.signal)
  return {
    async stop(graceMs) {
      stopping.abort()
      const grace = setTimeout(() => abandoning.abort(), graceMs)
      await working
      clearTimeout(grace)
    },
  }
}

async function work(options: SchedulerOptions, signal: AbortSignal, abandon: AbortSignal): Promise<void> {
  const { change, pollMs = SCHEDULE_POLL_MS } = options
  const round = new Round(options, signal, abandon)
  let lease: Lease | undefined
  while (!signal.aborted) {
    try {
      lease ??= change.catalog.leases.tryAcquire('scan schedules')
      lease?.assertHeld()
      if (lease !== undefined) await round.run()
    } catch (error) {
      options.log({ kind: 'not_begun', site: undefined, reason: toReason(error) })
      lease?.release()
      lease = undefined
    }
    await pause(pollMs, undefined, { signal, ref: false }).catch(() => {})
  }
  lease?.release()
}

/** One look at all schedules after the other. */
class Round {
  readonly #options: SchedulerOptions
  readonly #signal: AbortSignal
  readonly #abandon: AbortSignal
  /** When the scan was due that was begun last, by schedule: one that could not begin isn't tried again and again. */
  readonly #begun = new Map<string, number>()
  /** The last setup that could be read, whose schedules go on counting. */
  #setup: ScanSetup | undefined
  #fault: string | undefined

  constructor(options: SchedulerOptions, signal: AbortSignal, abandon: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#abandon = abandon
  }

  async run(): Promise<void> {
    const { change } = this.#options
    await this.#readSetup()
    for (const schedule of this.#setup?.config.schedules ?? []) {
      if (this.#signal.aborted) return
      const due = findDue(schedule, change.clock.now())
      const key = JSON.stringify(schedule)
      if (due === undefined || due.dueMs <= (this.#begun.get(key) ?? 0)) continue
      this.#begun.set(key, due.dueMs)
      await this.#begin(schedule, due)
    }
  }

  async #readSetup(): Promise<void> {
    const { config, environment, log } = this.#options
    try {
      this.#setup = await readScanSetup(config.dataDir, environment)
      this.#fault = undefined
    } catch (error) {
      const reason = toReason(error)
      if (reason !== this.#fault) log({ kind: 'not_begun', site: undefined, reason })
      this.#fault = reason
    }
  }

  async #begin(schedule: Schedule, { dueMs }: DueScan): Promise<void> {
    const { change, config, environment, log, onScanned } = this.#options
    let site: Site | undefined
    try {
      site = change.catalog.sites.get(schedule.site)
      if (isScannedSince(change, site, dueMs)) return
      const setup = this.#setup
      if (this.#fault !== undefined || setup === undefined)
        throw new CommandError(this.#fault ?? 'there is no scan.json')
      log({ kind: 'began', site: site.domain })
      const scan = await scanSite(
        { change, config, environment, setup },
        site,
        {},
        {
          signal: this.#signal,
          abandon: this.#abandon,
        },
      )
      log({ kind: 'ended', site: site.domain, scan })
      if (scan.result.answered > 0 && !this.#signal.aborted) await onScanned?.(site)
    } catch (error) {
      if (this.#signal.aborted) return
      const reason = toReason(error)
      log({ kind: 'not_begun', site: site?.domain ?? schedule.site, reason })
      if (site !== undefined) this.#record(site, reason)
    }
  }

  /** For `scan status` and `doctor`. */
  #record(site: Site, reason: string): void {
    const { catalog, clock } = this.#options.change
    const presence = catalog.leases.enter()
    try {
      const now = clock.now()
      const run = { id: newId('run', now), siteId: site.id, kind: 'answer', day: toDay(now), seed: 0 } as const
      catalog.transaction(() => {
        catalog.scanRuns.start({ ...run, token: presence.token })
        catalog.scanRuns.end(run.id, presence.token, 'failed', reason)
      })
    } finally {
      presence.leave()
    }
  }
}

/**
 * Whether another server, or somebody by hand, has scanned the site since then. A scan that was cut off or stopped in the
 * midst of its work left something to ask.
 */
function isScannedSince({ catalog, clock }: ChangeContext, { id }: Site, dueMs: number): boolean {
  const { scanRuns, calls } = catalog
  const day = toDay(clock.now())
  const last = scanRuns.list(id, 'answer').find((run) => run.day === day)
  if (last === undefined || last.startedMs < dueMs || last.status === 'running') return false
  return calls.listPlanned(id, 'answer', day).length === 0
}

/** In one line. */
function toReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\n\s*/g, ' ')
}
