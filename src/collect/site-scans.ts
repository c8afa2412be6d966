import type { ChangeContext } from '../change/change-lake.ts'
import type { EngineId } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import { CommandError, ScanIsRunning } from '../errors.ts'
import type { ScanLook } from './scan-look.ts'
import type { ScanSetup } from './scan-setup.ts'
import type { ScanWork, SiteScan } from './scan-site.ts'
import type { SchedulerEvent } from './scheduler.ts'

/** Scans that people begin through a running server, and what they look at before. */
export interface SiteScans {
  /** What a site's scans are set up for, would cost, and came to; `why` in place of it where `scan.json` is missing or wrong. */
  look(site: Site): Promise<{ readonly look: ScanLook } | { readonly why: string }>
  /**
   * Begins a scan of the site, which goes on by itself, and gives the run's id. `runMicros` bounds what this run may spend, in
   * micro-dollars. `noteBegun` is called with the run's id inside the transaction that begins it: when it throws, nothing is
   * begun. What was asked on this UTC day isn't asked again. Rejects with ScanIsRunning where one runs, and with CommandError
   * where nothing can be asked: no targets, no prompts, no budget.
   */
  begin(site: Site, options?: Pick<ScanWork, 'runMicros' | 'noteBegun'>): Promise<string>
  /** Tells each listener what begins and ends. Gives what ends the telling. */
  watch(listener: (event: SchedulerEvent) => void): () => void
  /** Begins no further call, and gives up those under way that take longer than `graceMs`; they are uncertain then. */
  stop(graceMs: number): Promise<void>
}

export interface SiteScansOptions {
  readonly change: ChangeContext
  readonly config: { readonly dataDir: string; readonly enginesOff: readonly EngineId[] }
  /** Holds the secrets, and says which proxies to use. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** After a scan that brought answers: looks after the lake and the cards. */
  readonly onScanned: (site: Site, signal: AbortSignal) => Promise<void>
}

/** Scans begun in this process. What asks engines is loaded when somebody looks or begins. */
export function openSiteScans({ change, config, environment, onScanned }: SiteScansOptions): SiteScans {
  const { catalog, clock } = change
  const stopping = new AbortController()
  const abandoning = new AbortController()
  const listeners = new Set<(event: SchedulerEvent) => void>()
  const underWay = new Set<Promise<void>>()
  const tell = (event: SchedulerEvent): void => listeners.forEach((listener) => listener(event))

  async function begin(site: Site, options: Pick<ScanWork, 'runMicros' | 'noteBegun'>): Promise<string> {
    const [{ requireScanSetup }, { scanSite }, { withoutPlaces }] = await Promise.all([
      import('./scan-setup.ts'),
      import('./scan-site.ts'),
      import('./scan-look.ts'),
    ])
    let setup: ScanSetup | undefined
    try {
      setup = await requireScanSetup(config.dataDir, environment)
      if (stopping.signal.aborted)
        throw new CommandError('The server is about to stop. Begin the scan when it is back.')
      const stand = { change, config, environment, setup }
      return await start(site, (work) => scanSite(stand, site, {}, { ...options, mayWait: false, ...work }))
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof ScanIsRunning) throw error
      throw new CommandError(withoutPlaces(error.lines.join(' '), config.dataDir, setup), { cause: error })
    }
  }

  /** Resolves as soon as the run stands in the catalog; rejects where it doesn't come to that. */
  function start(site: Site, scan: (work: ScanWork) => Promise<SiteScan>): Promise<string> {
    const begun = Promise.withResolvers<string>()
    let hasBegun = false
    const work = scan({
      signal: stopping.signal,
      abandon: abandoning.signal,
      onBegun(runId) {
        hasBegun = true
        tell({ kind: 'began', site: site.domain })
        begun.resolve(runId)
      },
    })
    track(
      work.then(
        async (ended) => {
          tell({ kind: 'ended', site: site.domain, scan: ended })
          if (ended.result.answered > 0 && !stopping.signal.aborted) await onScanned(site, stopping.signal)
        },
        (error: unknown) => {
          if (hasBegun) tell({ kind: 'not_begun', site: site.domain, reason: toReason(error) })
        },
      ),
    )
    return Promise.race([begun.promise, work.then(({ result }) => result.runId)])
  }

  function track(work: Promise<void>): void {
    const ended = work.catch((error: unknown) => tell({ kind: 'not_begun', site: undefined, reason: toReason(error) }))
    const kept = ended.finally(() => underWay.delete(kept))
    underWay.add(kept)
  }

  return {
    async look(site) {
      const [{ readScanSetup }, { lookAtScans, withoutPlaces }] = await Promise.all([
        import('./scan-setup.ts'),
        import('./scan-look.ts'),
      ])
      try {
        const setup = await readScanSetup(config.dataDir, environment)
        if (setup === undefined) return { why: 'The data directory has no scan.json, so nobody is asked.' }
        if (setup.targets.length === 0) return { why: 'scan.json names no targets, so nobody is asked.' }
        return { look: lookAtScans({ catalog, clock, config, setup }, site) }
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        return { why: withoutPlaces(error.lines.join('\n'), config.dataDir) }
      }
    },
    begin: (site, options = {}) => begin(site, options),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async stop(graceMs) {
      stopping.abort()
      const grace = setTimeout(() => abandoning.abort(), graceMs)
      await Promise.all(underWay)
      clearTimeout(grace)
    },
  }
}

/** In one line. */
function toReason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\n\s*/g, ' ')
}
