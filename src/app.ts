import { access, constants, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Actions, openActions } from './actions/actions.ts'
import { type Catalog, type CatalogOptions, openCatalog } from './catalog/catalog.ts'
import { type Clock, systemClock } from './clock.ts'
import type { ChangeContext } from './change/change-lake.ts'
import { openSiteScans, type SiteScans } from './collect/site-scans.ts'
import type { Config } from './config.ts'
import { type Lake, openLake } from './lake/lake.ts'
import type { Work } from './lake/read/work.ts'
import { COMMAND_QUERY_MEMORY_MIB, DISK_FREE_BYTES_MIN, QUERY_WAIT_MS_MAX } from './limits.ts'
import { createReportCache } from './reports/cache.ts'
import type { Walk } from './reports/cursor.ts'
import {
  type Report,
  type ReportName,
  REPORTS,
  type Reports,
  type RunReport,
  type RunWholeReport,
} from './reports/index.ts'
import type { Quality } from './reports/quality/query.ts'
import type { Days, RangeRequest } from './reports/request.ts'
import type { ReportContext, ReportRun } from './reports/run.ts'
import { createSiteLookup } from './reports/site-facts.ts'
import { openSignIn, type SignIn } from './sign-in/sign-in.ts'

export interface AppOptions {
  readonly mode: CatalogOptions['mode']
  /** Makes the data directory when there is none. */
  readonly create?: boolean
  readonly clock?: Clock
  /** Who changes are noted under; the system's user without it. */
  readonly actor?: string
  /** For scans and sign-ins: secrets of providers, and proxies. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The program put together over one data directory. Dispose it to let go of everything. */
export interface App extends AsyncDisposable {
  readonly config: Config
  readonly clock: Clock
  readonly catalog: Catalog
  readonly lake: Lake
  /** What imports and maintenance change the lake with. */
  readonly change: ChangeContext
  /** What reports stand on. */
  readonly reporting: ReportContext
  readonly reports: Reports
  readonly wholeReports: Readonly<Record<ReportName, RunWholeReport>>
  /** What the measurement of a site on these days can carry. The site must exist; with `work` it ends with that. Rejects with ApiError. */
  measureQuality(siteId: string, days: Days, work?: Work): Promise<Quality>
  readonly actions: Actions
  readonly signIn: SignIn
  /** Scans that people begin through the server; they end when the app is disposed of. */
  readonly scans: SiteScans
  /**
   * Loads what the first report would have to wait for. Rejects when DuckDB can't be loaded; a data directory that can't
   * be read now is left to `findDefects` and to the reports.
   */
  warmUp(): Promise<void>
  /** Codes of what keeps the service from working (`catalog`, `lake`, `disk`); empty when all is well. */
  findDefects(): Promise<readonly string[]>
  /**
   * Merges the site's files where there are too many and deletes what nobody needs any more, for a bounded time: after an
   * import with its site, now and then without one. Gives what went wrong, a sentence each; rejects only when its own code can't be loaded.
   */
  maintain(options?: { readonly siteId?: string; readonly signal?: AbortSignal }): Promise<readonly string[]>
}

/** Opens a data directory. The only place where the parts meet. Throws CommandError when it can't be opened. */
export async function openApp(
  config: Config,
  { mode, create = false, clock = systemClock, actor, environment = {} }: AppOptions,
): Promise<App> {
  const { dataDir } = config
  const catalog = openCatalog(join(dataDir, 'catalog.sqlite'), { clock, mode, create, actor })
  const lakeDir = join(dataDir, 'lake')
  // Named by a token of this process: when it is killed, the next collection sees that nobody uses the directory.
  const presence = catalog.leases.enter()
  const lake = openLake({
    dir: lakeDir,
    spillDir: join(dataDir, 'tmp', presence.token),
    threads: config.queryThreads,
    memoryMib: mode === 'server' ? config.queryMemoryMib : Math.min(config.queryMemoryMib, COMMAND_QUERY_MEMORY_MIB),
    spillGib: config.spillGib,
    runningMax: config.queriesRunning,
    waitingMax: config.queriesWaiting,
    waitMsMax: QUERY_WAIT_MS_MAX,
    timeoutMs: config.queryTimeoutMs,
  })
  const change = { catalog, clock, lakeDir }
  const reporting: ReportContext = {
    catalog,
    lake,
    cache: createReportCache(),
    lookup: createSiteLookup(catalog),
    snapshotGraceMs: config.snapshotGraceMs,
  }
  const actions = openActions({ reporting, clock })
  const maintain: App['maintain'] = async (options = {}) => {
    const { maintain: run } = await import('./maintenance/automatic-maintenance.ts')
    const { snapshotGraceMs, undoWindowMs } = config
    return run(change, { ...options, snapshotGraceMs, undoWindowMs, retention: config })
  }
  const scans = openSiteScans({
    change,
    config,
    environment,
    async onScanned({ id }, signal) {
      await maintain({ siteId: id, signal })
      await actions.refresh(id, { onlyWhenChanged: true, signal })
    },
  })
  return {
    config,
    clock,
    catalog,
    lake,
    change,
    reporting,
    ...bindReports(reporting),
    measureQuality: async (siteId, days, work) => {
      const { measureQuality } = await import('./reports/quality/query.ts')
      return measureQuality(endWith(reporting, work), siteId, days)
    },
    actions,
    signIn: openSignIn({ catalog, clock, dataDir, environment }),
    scans,
    warmUp: () => warmUp(lake),
    findDefects: () => findDefects(catalog, lake, dataDir),
    maintain,
    async [Symbol.asyncDispose]() {
      await scans.stop(0)
      await lake.close()
      presence.leave()
      catalog.close()
    },
  }
}

function bindReports(reporting: ReportContext): Pick<App, 'reports' | 'wholeReports'> {
  const ask = async (report: Report, work: Work | undefined, ...asked: Asked): Promise<ReportRun<unknown>> => {
    const query = await report.load()
    return query(endWith(reporting, work), ...asked)
  }
  const bind = (run: (report: Report) => unknown): unknown =>
    Object.fromEntries(REPORTS.map((report) => [report.contract.name, run(report)]))
  const toPage =
    (report: Report): RunReport =>
    async (siteId, request, work, walk) =>
      (await ask(report, work, siteId, request, walk)).page()
  const toWhole =
    (report: Report): RunWholeReport =>
    async (siteId, request, work) =>
      (await ask(report, work, siteId, request)).whole()
  return { reports: bind(toPage) as Reports, wholeReports: bind(toWhole) as App['wholeReports'] }
}

type Asked = [siteId: string, request: RangeRequest, walk?: Walk]

/** The same, for queries that end with this work. */
function endWith(reporting: ReportContext, work: Work | undefined): ReportContext {
  return work === undefined ? reporting : { ...reporting, lake: reporting.lake.under(work) }
}

async function warmUp(lake: Lake): Promise<void> {
  await lake.load()
  for (const report of REPORTS) await report.load()
  await lake.isAlive().catch(() => false)
}

async function findDefects(catalog: Catalog, lake: Lake, dataDir: string): Promise<readonly string[]> {
  const isSound: Record<string, () => Promise<boolean>> = {
    catalog: async () => catalog.version() >= 0,
    lake: async () => {
      // Makes the directory where nothing was imported yet.
      const isAlive = await lake.isAlive()
      await access(lake.dir, constants.R_OK | constants.X_OK)
      return isAlive
    },
    disk: async () => {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize >= DISK_FREE_BYTES_MIN
    },
  }
  const checked = await Promise.all(
    Object.entries(isSound).map(async ([name, check]) => ((await check().catch(() => false)) ? [] : [name])),
  )
  return checked.flat()
}
