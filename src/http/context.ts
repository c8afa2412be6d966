import type { Actions } from '../actions/actions.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { SiteScans } from '../collect/site-scans.ts'
import type { Config } from '../config.ts'
import type { Retention } from '../domain/retention.ts'
import type { Site } from '../domain/site.ts'
import type { Lake } from '../lake/lake.ts'
import type { Work } from '../lake/read/work.ts'
import type { ReportName, RunReport, RunWholeReport } from '../reports/index.ts'
import type { Quality } from '../reports/quality/query.ts'
import type { Days } from '../reports/request.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Caller } from './access.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'

/** What the server needs of the program. */
export interface ServerApp {
  readonly clock: Clock
  readonly catalog: Catalog
  readonly lake: Lake
  readonly reports: Readonly<Record<ReportName, RunReport>>
  readonly wholeReports: Readonly<Record<ReportName, RunWholeReport>>
  /** What the measurement of a site on these days can carry. */
  readonly measureQuality: (siteId: string, days: Days, work: Work) => Promise<Quality>
  readonly actions: Pick<Actions, 'list' | 'get' | 'measureBefore'>
  readonly scans: Pick<SiteScans, 'look' | 'begin'>
  readonly signIn: SignIn
  readonly config: Pick<Config, 'dashboard' | 'enginesOff' | 'publicUrl' | 'queryTimeoutMs' | keyof Retention>
  /** Codes of what keeps the service from working (`catalog`, `lake`, `disk`), for `/readyz`; empty when all is well. */
  readonly findDefects: () => Promise<readonly string[]>
}

/** What an operation's handler may use. */
export interface Context {
  readonly app: ServerApp
  /** Who calls; throws on an operation that needs nobody. */
  readonly caller: Caller
  /** What the request's queries end with; throws on an operation without a body that doesn't read the lake. */
  readonly work: Work
  readonly getDocument: () => Promise<OpenApiDocument>
  /** A site of the caller's organization; any other is the same ApiError `not_found`. */
  readonly getSite: (siteId: string) => Site
  /**
   * Changes the catalog as soon as no other process writes, with the change's line in the audit in the same transaction.
   * Without a line where nothing was changed.
   */
  readonly change: <T>(work: () => T, toLine: (result: T) => AuditLine | undefined) => Promise<T>
  /** Writes a change's line into the audit, inside the transaction of a change that isn't made by `change`. */
  readonly note: (line: AuditLine) => void
}

/** What was changed, for the audit; who and when are added. */
export interface AuditLine {
  /** `noun.verb`, such as `key.create`. */
  readonly action: string
  /** What was changed: an id. */
  readonly subject: string
  /** What else is worth knowing. Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}
