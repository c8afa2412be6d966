import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ImportLogsResult } from '../../../src/import-logs/import-options.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import { openTestService, type TestService } from '../../support/http.ts'
import type { LogWorld } from '../../support/oracle/log-world.ts'
import { findDifference } from './compare.ts'
import type { SentLog } from './log-requests.ts'

/** A log in a data directory of its own, imported and served as an operator does it. */
export interface ServedLogs {
  readonly service: TestService
  readonly results: readonly ImportLogsResult[]
  ask(path: string, body: object): Promise<{ status: number; body: LogReply }>
  close(): Promise<void>
}

interface LogReply {
  readonly info: Readonly<Record<string, unknown>> & { readonly next_cursor: string | null }
  readonly data: readonly object[]
}

export async function serveLogs(world: Pick<LogWorld, 'ranges' | 'imports'>): Promise<ServedLogs> {
  const clock = { now: () => Date.parse('2027-02-01T00:00:00Z') }
  const service = await openTestService({ clock })
  const { catalog, change } = service.app
  const organization = catalog.organizations.create({ name: 'Logs', requestsPerMinute: 1_000_000_000 })
  const site = catalog.sites.create({
    id: 'logs',
    name: 'Logs',
    domain: 'example.com',
    organizationId: organization.id,
  })
  for (const { document, prefix } of world.ranges) {
    catalog.botRanges.replaceDocument(document, [prefix], Date.parse('2026-01-05T00:00:00Z'))
  }
  const directory = join(service.dataDir, 'input')
  mkdirSync(directory)
  const results: ImportLogsResult[] = []
  for (const [call, files] of world.imports.entries()) {
    const paths = files.map((lines, index) => {
      const path = join(directory, `${call}-${index}.log`)
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
      return path
    })
    results.push(await importLogs(change, { site, files: paths, format: 'combined', dryRun: false, strict: true }))
  }
  const { value: key } = catalog.keys.create({ name: 'tests', expiresInDays: 30, creator: 'tests' })
  return {
    service,
    results,
    ask: async (path, body) => service.send({ method: 'POST', path, key, body: { site_id: 'logs', ...body } }),
    close: () => service.close(),
  }
}

/** Pages of one walk; what lies behind them is asked for by other requests. */
const PAGES_MAX = 3

interface Asked {
  readonly start_date: string
  readonly end_date: string
  readonly timezone: string
  readonly limit: number
}

/** Asks page by page and compares rows, their order and `info` with the expected ones. */
export async function expectLogReport(
  served: ServedLogs,
  path: string,
  { asked, body }: SentLog<Asked>,
  expected: readonly object[],
): Promise<void> {
  const { start_date, end_date, timezone, limit } = asked
  const told = (what: string): string => `${what}\nPOST ${path} ${JSON.stringify(body)}`
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const { status, body: reply } = await served.ask(path, cursor === null ? body : { ...body, cursor })
    if (status !== 200) throw new Error(told(`status ${status}: ${JSON.stringify(reply)}`))
    const rows = expected.slice(page * limit, (page + 1) * limit)
    const difference = findDifference(reply.data, rows, `rows of page ${page}`)
    if (difference !== undefined) {
      throw new Error(told(`${difference}\nfound    ${show(reply.data)}\nexpected ${show(rows)}`))
    }
    const { next_cursor, ...info } = reply.info
    const total_results = expected.length
    expect(info, told('info')).toEqual({
      site_id: 'logs',
      start_date,
      end_date,
      timezone,
      count: rows.length,
      total_results,
    })
    const isLast = (page + 1) * limit >= expected.length
    expect(next_cursor === null, told(`next_cursor after page ${page}`)).toBe(isLast)
    if (isLast) return
    cursor = next_cursor
  }
}

function show(rows: readonly object[]): string {
  return JSON.stringify(rows.slice(0, 8))
}
