import * as v from 'valibot'
import type { ErrorDetail } from '../errors.ts'
import { parseCursor, digestRequest } from '../reports/cursor.ts'
import { findPatternFault } from '../reports/filter.ts'
import type { RangeRequest, ReportPage } from '../reports/request.ts'
import type { Context, Reports, RunReport, ServerApp } from './context.ts'
import { FilterValue, findExcess } from './schemas/filter.ts'
import { findTimeZones } from './time-zones.ts'

/** Fits every report's response; `timezone` is there where the request has one. */
interface ReportAnswer {
  readonly info: Required<ReportPage<never>['info']>
  readonly data: readonly never[]
}

/** Runs a report after cursor (400) and site (404), in this order (decisions.md 2.4). */
export async function answerReport<N extends keyof Reports>(
  { app, getSite }: Context,
  name: N,
  request: Reports[N] extends RunReport<infer R extends RangeRequest> ? R : never,
): Promise<ReportAnswer> {
  if (request.cursor !== undefined) parseCursor(app.catalog.cursorSecret, digestRequest(name, request), request.cursor)
  const { id } = getSite(request.site_id)
  const run = app.reports[name] as RunReport<RangeRequest>
  // Rows come from SQL; that they are what the document says is held by the tests, which validate every answer.
  return (await run(id, request)) as ReportAnswer
}

/** Patterns that RE2 refuses, and names that are no time zone: what only DuckDB knows of a report's body. */
export async function findReportFaults(app: ServerApp, body: unknown): Promise<readonly ErrorDetail[]> {
  return [...(await findPatternFaults(app, body)), ...(await findZoneFaults(app, body))]
}

async function findPatternFaults({ lake }: ServerApp, body: unknown): Promise<readonly ErrorDetail[]> {
  const filter = fieldOf(body, 'filter')
  if (findExcess(filter) !== undefined) return []
  const faults: ErrorDetail[] = []
  for (const { path, value } of listPatterns(filter, 'filter')) {
    const fault = await findPatternFault(value, lake)
    if (fault === undefined) continue
    faults.push({
      path: `${path}.value`,
      message: `Not a valid RE2 regular expression: ${fault}. Correct the pattern.`,
    })
  }
  return faults
}

/** Conditions with `matches`, in a filter that may have other faults, with their paths. */
function listPatterns(filter: unknown, path: string): { path: string; value: string }[] {
  const value = fieldOf(filter, 'value')
  const own = fieldOf(filter, 'op') === 'matches' && v.is(FilterValue, value) ? [{ path, value }] : []
  const members = ['and', 'or'].flatMap((name) => {
    const list = fieldOf(filter, name)
    return Array.isArray(list) ? list.flatMap((member, index) => listPatterns(member, `${path}.${name}.${index}`)) : []
  })
  const negated = fieldOf(filter, 'not')
  return [...own, ...members, ...(negated === undefined ? [] : listPatterns(negated, `${path}.not`))]
}

async function findZoneFaults({ lake }: ServerApp, body: unknown): Promise<readonly ErrorDetail[]> {
  const name = fieldOf(body, 'timezone')
  if (typeof name !== 'string' || name === '' || (await findTimeZones(lake)).has(name)) return []
  return [{ path: 'timezone', message: 'There is no such time zone. Use an IANA name such as Europe/Berlin.' }]
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
}
