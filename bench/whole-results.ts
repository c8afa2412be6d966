/**
 * Whole results as CSV and NDJSON from a server in a process of its own, over a site-quarter and a log of 100,000 paths:
 * `node bench/whole-results.ts [REPORT]`. Measured are the memory of the server above what it holds when it is idle, beside that of a
 * JSON page of one row of the same report, whose query takes the same, and the time from the end of the query to the first
 * byte at the client. The figures are in docs/benchmarks.md.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'
import { startServer } from '../src/http/server.ts'
import { importLogs } from '../src/import-logs/import-logs.ts'
import { makeSite, QUARTER } from './answer-lake.ts'

const MEMORY_MIB_MAX = 100
const FIRST_BYTE_MS_MAX = 100
/** Of a client that takes its time, in bytes a second. */
const SLOW_BYTES = 8 * 1_024 * 1_024

const PATHS = 100_000
const AGENT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)'
const toLine = (index: number): string =>
  `192.0.2.1 - - [01/Oct/2026:10:00:00 +0000] "GET /articles/${index}/a-page-with-a-name HTTP/1.1" 200 10 "-" "${AGENT}"\n`

/** 28 days have 98,000 answers. */
const FOUR_WEEKS = { start_date: '2026-08-01', end_date: '2026-08-28' }
const REPORTS = [
  ['bots by path', '/v1/reports/bots', { start_date: '2026-10-01', end_date: '2026-10-01', group_by: ['path'] }],
  ['stored answers', '/v1/answers', FOUR_WEEKS],
  ['pages of five days', '/v1/reports/citations', { start_date: '2026-08-01', end_date: '2026-08-05', entity: 'page' }],
  [
    'visibility by date, prompt, engine',
    '/v1/reports/visibility',
    { ...FOUR_WEEKS, group_by: ['date', 'prompt', 'platform'] },
  ],
] as const
const WAYS = [
  ['CSV', 'text/csv', 'identity', Infinity],
  ['CSV, gzip', 'text/csv', 'gzip', Infinity],
  ['NDJSON', 'application/x-ndjson', 'identity', Infinity],
  ['NDJSON, a slow client', 'application/x-ndjson', 'identity', SLOW_BYTES],
] as const

interface Started {
  readonly url: string
  readonly key: string
  readonly siteId: string
}

const [role, dir = ''] = process.argv.slice(2)
if (role === 'server') await serve(dir)
else await measure(role)

async function serve(dataDir: string): Promise<void> {
  const app = await openApp(parseConfig({ dataDir, environment: {} }, {}, ''), { mode: 'server' })
  await app.warmUp()
  const { lake } = app.reporting
  const under = lake.under.bind(lake)
  lake.under = (work) => {
    const own = under(work)
    return {
      ...own,
      async selectInBatches(query) {
        const rows = await own.selectInBatches(query)
        process.send?.({ queryEnded: toMs() })
        return rows
      },
    }
  }
  const [site] = app.catalog.sites.list()
  const { value: key } = app.catalog.keys.create({ name: 'bench', expiresInDays: 30, creator: 'bench' })
  const { url } = await startServer(app, { host: '127.0.0.1', port: 0, log: { write: () => true } })
  process.send?.({ url, key, siteId: site?.id })
}

/** All reports, or those whose name holds `wanted`. */
async function measure(wanted = ''): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
  try {
    const { app, siteId, ...site } = await makeSite(made, QUARTER)
    const log = join(made, 'access.log')
    writeFileSync(log, Array.from({ length: PATHS }, (_, index) => toLine(index)).join(''))
    await importLogs(app.change, {
      site: app.catalog.sites.get(siteId),
      files: [log],
      format: 'combined',
      dryRun: false,
      strict: true,
    })
    await site[Symbol.asyncDispose]()
    for (const [name, path, body] of REPORTS.filter(([title]) => title.includes(wanted))) {
      for (const [way, accept, encoding, rate] of WAYS) {
        const server = fork(import.meta.filename, ['server', join(made, 'data')])
        try {
          const [started] = (await once(server, 'message')) as [Started]
          const figures = await fetchRows(server, started, { path, body, accept, encoding, rate })
          console.log(`${name}, ${way}: ${figures}`)
        } finally {
          server.kill()
        }
      }
    }
  } finally {
    rmSync(made, { recursive: true })
  }
}

interface Asked {
  readonly path: string
  readonly body: object
  readonly accept: string
  readonly encoding: string
  readonly rate: number
}

async function fetchRows(server: ChildProcess, { url, key, siteId }: Started, asked: Asked): Promise<string> {
  // Pages first: they open DuckDB and its files, which stays. The second has another limit, so that it isn't remembered.
  let ofPage = 0
  for (const limit of [1, 2]) {
    await setTimeout(1_000)
    const before = resetPeak(server.pid)
    const body = { ...asked.body, site_id: siteId, limit }
    for await (const _ of await ask(url, key, { ...asked, accept: 'application/json', body })) continue
    ofPage = readMib(server.pid, 'VmHWM') - before
  }
  await setTimeout(1_500)
  const idle = resetPeak(server.pid)
  let ended = Number.NaN
  server.once('message', ({ queryEnded }: { queryEnded: number }) => (ended = queryEnded))
  const startedMs = toMs()
  const response = await ask(url, key, { ...asked, body: { ...asked.body, site_id: siteId } })
  let firstMs = Number.NaN
  let bytes = 0
  for await (const chunk of response) {
    if (bytes === 0) firstMs = toMs()
    bytes += (chunk as Buffer).length
    const ahead = (bytes / asked.rate) * 1_000 - (toMs() - firstMs)
    if (ahead > 5) await setTimeout(ahead)
  }
  const tookMs = toMs() - startedMs
  const above = readMib(server.pid, 'VmHWM') - idle
  const firstByte = firstMs - ended
  const isSmall = above - Math.max(ofPage, 0) <= MEMORY_MIB_MAX
  const met = isSmall && firstByte <= FIRST_BYTE_MS_MAX ? 'met' : 'MISSED'
  return [
    `${response.headers['x-total-results']?.toString()} rows, ${(bytes / 2 ** 20).toFixed(1)} MiB in ${Math.round(tookMs)} ms`,
    `query ${Math.round(ended - startedMs)} ms, first byte ${firstByte.toFixed(0)} ms after it`,
    `${above.toFixed(0)} MiB above ${idle.toFixed(0)}, a page ${ofPage.toFixed(0)}: ${met}`,
  ].join('; ')
}

async function ask(
  url: string,
  key: string,
  { path, body, accept, encoding }: Omit<Asked, 'rate'>,
): Promise<IncomingMessage> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json', accept, 'accept-encoding': encoding }
  const sent = request(url + path, { method: 'POST', headers, agent: false })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  return response
}

/** The same clock in both processes. */
function toMs(): number {
  return performance.timeOrigin + performance.now()
}

/** Gives what the process holds, and lets its peak begin there. */
function resetPeak(pid: number | undefined): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return readMib(pid, 'VmRSS')
}

function readMib(pid: number | undefined, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024
}
