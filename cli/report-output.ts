import { once } from 'node:events'
import type { App } from '../src/app.ts'
import { UsageError } from '../src/errors.ts'
import { WHOLE_RESULT_MS_MAX } from '../src/limits.ts'
import { Abandoned, startWork, type StartedWork } from '../src/lake/read/work.ts'
import type { Report, ReportName, RunReport } from '../src/reports/index.ts'
import type { RangeRequest, WholeReport } from '../src/reports/request.ts'
import { listRowFields } from '../src/reports/row-fields.ts'
import { listColumns } from '../src/rows/columns.ts'
import { ROW_FORMATS, type RowFormat, toHead, toLines } from '../src/rows/row-format.ts'
import { escapeControls } from '../src/show.ts'
import type { Context } from './command.ts'
import { printNote, type Output } from './io.ts'
import { refuseRequest } from './report-request.ts'
import { printTable } from './table.ts'

export const REPORT_FORMATS = ['table', ...ROW_FORMATS, 'json'] as const
type ReportFormat = (typeof REPORT_FORMATS)[number]

export interface Asked {
  readonly report: Report<ReportName>
  readonly request: RangeRequest
  /** All rows, not a page. */
  readonly isWhole: boolean
}

/** Reads the format that is wanted: a table for a person, CSV for a program, unless a flag says otherwise. */
export function toReportFormat(
  { format, json }: { readonly format: ReportFormat | undefined; readonly json: boolean },
  stdout: Output,
): ReportFormat {
  if (json && format !== undefined && format !== 'json')
    throw new UsageError(`--json and --format ${format} exclude each other`)
  if (json) return 'json'
  return format ?? (stdout.isTTY === true ? 'table' : 'csv')
}

/**
 * Runs a report and prints its rows, what to know of them as notes. Rejects with what the report rejects with; what was read
 * before that is printed, but in a table, and a JSON document is left without its end.
 */
export async function printReport(
  { io, signal }: Pick<Context, 'io' | 'signal'>,
  app: App,
  { report, request, isWhole }: Asked,
  format: ReportFormat,
): Promise<void> {
  using work = startWork(app.config.queryTimeoutMs)
  signal.addEventListener('abort', () => work.stop(new Abandoned('the command was stopped')), { once: true })
  await using found = await (isWhole ? readWhole : readPage)(app, report.contract.name, request, work).catch(
    refuseRequest,
  )
  work.renew(WHOLE_RESULT_MS_MAX)
  if (format !== 'json') for (const note of found.info.notes ?? []) printNote(io, `note: ${note}`)
  const columns = listColumns(report.contract.row, listRowFields(report.contract, request))
  if (format === 'json') return await print(io.stdout, toDocument(found, io.stdout.isTTY === true))
  if (format !== 'table') return await print(io.stdout, toRowLines(found, format, columns))
  const rows: unknown[] = []
  for await (const batch of found.batches) for (const row of batch) rows.push(row)
  printTable(
    io,
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ read }) => read(row))),
  )
}

async function readWhole(
  app: App,
  name: ReportName,
  request: RangeRequest,
  work: StartedWork,
): Promise<WholeReport<unknown>> {
  return app.wholeReports[name](request.site_id, request, work)
}

async function readPage(
  app: App,
  name: ReportName,
  request: RangeRequest,
  work: StartedWork,
): Promise<WholeReport<unknown>> {
  const reports: Readonly<Record<ReportName, RunReport>> = app.reports
  const { info, data } = await reports[name](request.site_id, request, work)
  return { info, batches: toBatches(data), async [Symbol.asyncDispose]() {} }
}

async function* toBatches(rows: readonly unknown[]): AsyncGenerator<readonly unknown[], void> {
  yield rows
}

async function* toRowLines(
  { batches }: WholeReport<unknown>,
  format: RowFormat,
  columns: ReturnType<typeof listColumns>,
): AsyncGenerator<string, void> {
  yield toHead(format, columns)
  for await (const rows of batches) yield toLines(format, columns, rows)
}

/** What `printJson` prints of info and rows, piece by piece. */
async function* toDocument(
  { info, batches }: WholeReport<unknown>,
  isForPerson: boolean,
): AsyncGenerator<string, void> {
  const indent = isForPerson ? 2 : undefined
  const [head = '', end = ''] = JSON.stringify({ info, data: [] }, undefined, indent).split(
    /(?<="data": ?\[)(?=\]\s*\}$)/,
  )
  yield escapeControls(head)
  let isEmpty = true
  for await (const rows of batches) {
    const texts = rows.map((row) => JSON.stringify(row, undefined, indent))
    const text = isForPerson ? texts.join(',\n').replaceAll(/^/gm, '    ') : texts.join(',')
    if (text !== '') yield (isEmpty ? '' : ',') + (isForPerson ? '\n' : '') + escapeControls(text)
    isEmpty &&= text === ''
  }
  yield `${isForPerson && !isEmpty ? '\n  ' : ''}${end}\n`
}

/** Prints piece by piece, as fast as what reads them; ends quietly when that goes away. */
async function print(stdout: Output, pieces: AsyncIterable<string>): Promise<void> {
  for await (const text of pieces) {
    // A terminal would obey what a stranger wrote into an answer.
    const shown = stdout.isTTY === true ? escapeControls(text.replaceAll('\r\n', '\n')) : text
    if (!stdout.writable) return
    if (!stdout.write(shown) && stdout.writable) await once(stdout, 'drain').catch(() => undefined)
  }
}
