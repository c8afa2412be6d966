import type { ErrorDetail } from '../errors.ts'
import type { Work } from '../lake/read/work.ts'
import { parseCursor, digestRequest } from '../reports/cursor.ts'
import type { RangeRequest, ReportPage } from '../reports/request.ts'
import type { Context, Reports, RunReport, ServerApp } from './context.ts'
import { fieldOf, findPatternFaults } from './patterns.ts'
import { findTimeZones } from './time-zones.ts'

/** Fits every report's response; `timezone` is there where the request has one. */
interface ReportAnswer {
  readonly info: Required<ReportPage<never>['info']>
  readonly data: readonly never[]
}

/** Runs a report after cursor (400) and site (404), in this order (contract/api 2.4). */
export async function answerReport<N extends keyof Reports>(
  { app, getSite, work }: Context,
  name: N,
  request: Reports[N] extends RunReport<infer R extends RangeRequest> ? R : never,
): Promise<ReportAnswer> {
  if (request.cursor !== undefined) parseCursor(app.catalog.cursorSecret, digestRequest(name, request), request.cursor)
  const { id } = getSite(request.site_id)
  const run = app.reports[name] as RunReport<RangeRequest>
  // Rows come from SQL; that they are what the document says is held by the tests, which validate every answer.
  return (await run(id, request, work)) as ReportAnswer
}

/** Patterns that RE2 refuses, and names that are no time zone: what only DuckDB knows of a report's body. */
export async function findReportFaults(app: ServerApp, body: unknown, work: Work): Promise<readonly ErrorDetail[]> {
  const patterns = await findPatternFaults(app.lake.under(work), fieldOf(body, 'filter'))
  return [...patterns, ...(await findZoneFaults(app, body))]
}

async function findZoneFaults({ lake }: ServerApp, body: unknown): Promise<readonly ErrorDetail[]> {
  const name = fieldOf(body, 'timezone')
  if (typeof name !== 'string' || name === '' || (await findTimeZones(lake)).has(name)) return []
  return [{ path: 'timezone', message: 'There is no such time zone. Use an IANA name such as Europe/Berlin.' }]
}
