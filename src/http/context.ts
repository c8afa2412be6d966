import type { Actions } from '../actions/actions.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { KeyHolder } from '../domain/api-key.ts'
import type { Site } from '../domain/site.ts'
import type { Lake } from '../lake/lake.ts'
import type { Work } from '../lake/read/work.ts'
import type { ReportName, RunReport, RunWholeReport } from '../reports/index.ts'
import type { Quality } from '../reports/quality/query.ts'
import type { Days } from '../reports/request.ts'
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
  readonly actions: Pick<Actions, 'list'>
  readonly config: Pick<Config, 'enginesOff' | 'queryTimeoutMs'>
  /** Codes of what keeps the service from working (`catalog`, `lake`, `disk`), for `/readyz`; empty when all is well. */
  readonly findDefects: () => Promise<readonly string[]>
}

/** What an endpoint's handler may use. */
export interface Context {
  readonly app: ServerApp
  /** The key and its organization; throws on an endpoint that needs none. */
  readonly caller: KeyHolder
  /** What the request's queries end with; throws on an endpoint without a body that doesn't read the lake. */
  readonly work: Work
  readonly getDocument: () => Promise<OpenApiDocument>
  /** A site of the caller's organization; any other is the same ApiError `not_found`. */
  readonly getSite: (siteId: string) => Site
}
