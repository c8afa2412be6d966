import type { ErrorDetail } from '../errors.ts'
import type { Work } from '../lake/read/work.ts'
import { toResponse } from '../reports/contract.ts'
import { openWalk } from '../reports/cursor.ts'
import { listRowFields } from '../reports/row-fields.ts'
import type { Report, ReportName } from '../reports/index.ts'
import type { ServerApp } from './context.ts'
import { type AnyEndpoint, defineEndpoint } from './endpoint.ts'
import { fieldOf, findPatternFaults } from './patterns.ts'
import { findTimeZones } from './time-zones.ts'

/** The endpoint of a report, from its contract. Its cursor (400) comes before its site (404), as contract/api 2.4 has it. */
export function toEndpoint(report: Report<ReportName>): AnyEndpoint {
  const { name, operation, tag, path, summary, description, request, row, filter, example } = report.contract
  return defineEndpoint({
    operation,
    tag,
    method: 'POST',
    path,
    access: 'read',
    summary,
    description,
    body: request,
    response: toResponse(report.contract),
    rows: {
      row,
      fileName: ({ getSite }, { body: { site_id, start_date, end_date } }) =>
        `${getSite(site_id).domain}-${name}-${start_date}-${end_date}`,
      listFields: ({ body }) => listRowFields(report.contract, body),
      readWhole: async ({ app, getSite, work }, { body }) =>
        app.wholeReports[name](getSite(body.site_id).id, body, work),
    },
    example: { body: example.request, response: example.response },
    ...(filter === undefined ? {} : { findFaults: findReportFaults }),
    handle: async ({ app, getSite, work }, { body }) => {
      const walk = openWalk(app.catalog.cursorSecret, name, body)
      return app.reports[name](getSite(body.site_id).id, body, work, walk)
    },
  })
}

/** Patterns that RE2 refuses, and names that are no time zone: what only DuckDB knows of a report's body. */
export async function findReportFaults(
  app: Pick<ServerApp, 'lake'>,
  body: unknown,
  work: Work,
): Promise<readonly ErrorDetail[]> {
  const patterns = await findPatternFaults(app.lake.under(work), fieldOf(body, 'filter'))
  return [...patterns, ...(await findZoneFaults(app, body))]
}

async function findZoneFaults({ lake }: Pick<ServerApp, 'lake'>, body: unknown): Promise<readonly ErrorDetail[]> {
  const name = fieldOf(body, 'timezone')
  if (typeof name !== 'string' || name === '' || (await findTimeZones(lake)).has(name)) return []
  return [{ path: 'timezone', message: 'There is no such time zone. Use an IANA name such as Europe/Berlin.' }]
}
