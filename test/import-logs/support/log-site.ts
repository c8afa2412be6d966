import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type App, openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import type { Site } from '../../../src/domain/site.ts'
import type { ImportLogsOptions, ImportLogsResult } from '../../../src/import-logs/import-options.ts'
import { importLogs } from '../../../src/import-logs/import-logs.ts'
import type { BotsRow } from '../../../src/reports/bots/contract.ts'
import type { BotsRequest } from '../../../src/reports/bots/contract.ts'
import type { ReferralsRequest } from '../../../src/reports/referrals/contract.ts'
import type { ReferralsRow } from '../../../src/reports/referrals/contract.ts'

export const NOW = Date.parse('2026-11-21T12:00:00Z')

/** A site in a data directory of its own that logs are imported into. */
export interface LogSite extends AsyncDisposable {
  readonly app: App
  readonly site: Site
  readonly dir: string
  /** Writes a file beside the data directory; gives its path. */
  write(name: string, content: string | Uint8Array): string
  import(files: string | readonly string[], options?: Partial<ImportLogsOptions>): Promise<ImportLogsResult>
  importStdin(content: string | Uint8Array, options?: Partial<ImportLogsOptions>): Promise<ImportLogsResult>
  bots(request?: Partial<BotsRequest>): Promise<readonly BotsRow[]>
  referrals(request?: Partial<ReferralsRequest>): Promise<readonly ReferralsRow[]>
}

export async function openLogSite(): Promise<LogSite> {
  const dir = mkdtempSync(join(tmpdir(), 'answerlake-logs-'))
  const app = await openData(join(dir, 'data'))
  const site = app.catalog.sites.create({ id: 'site', name: 'Example', domain: 'example.com' })
  const run = (files: readonly string[], options: Partial<ImportLogsOptions>): Promise<ImportLogsResult> =>
    importLogs(app.change, {
      site: app.catalog.sites.get('site'),
      files,
      format: 'auto',
      dryRun: false,
      strict: false,
      ...options,
    })
  const range = {
    site_id: 'site',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    timezone: 'UTC',
    limit: 10_000,
    group_by: [],
  }
  return {
    app,
    site,
    dir,
    write(name, content) {
      const path = join(dir, name)
      writeFileSync(path, content)
      return path
    },
    import: (files, options = {}) => run(typeof files === 'string' ? [files] : files, options),
    importStdin: (content, options = {}) => run(['-'], { stdin: Readable.from([Buffer.from(content)]), ...options }),
    bots: async (request) => (await app.reports.bots('site', { ...range, metrics: ['hits'], ...request })).data,
    referrals: async (request) =>
      (await app.reports.referrals('site', { ...range, metrics: ['visits'], ...request })).data,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export async function openData(dataDir: string): Promise<App> {
  const config = parseConfig({ dataDir, environment: {} }, {}, 'config.json')
  return openApp(config, { mode: 'command', create: true, clock: { now: () => NOW } })
}

/** What of a line differs from a plain GET of `/` by GPTBot. */
export interface LineParts {
  readonly address?: string
  readonly time?: string
  readonly request?: string
  readonly status?: number
  readonly referer?: string
  readonly agent?: string
}

/** A line of the combined format, without its end. */
export function line({
  address = '192.0.2.7',
  time = '20/Nov/2026:10:05:03 +0000',
  request = 'GET / HTTP/1.1',
  status = 200,
  referer = '-',
  agent = 'GPTBot/1.3',
}: LineParts = {}): string {
  return `${address} - - [${time}] "${request}" ${status} 512 "${referer}" "${agent}"`
}

/** Lines of GPTBot's hits, each with a path of its own: `/1`, `/2`, … from `from` to `to`. */
export function hits(from: number, to: number): string {
  const paths = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return paths.map((path) => `${line({ request: `GET /${path} HTTP/1.1` })}\n`).join('')
}

export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
