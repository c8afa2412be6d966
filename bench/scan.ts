/**
 * A scan of 10,000 calls against engines on this machine that answer after 30 ms, in a process of their own, while a server on
 * the same data directory serves reports: `node bench/scan.ts`. Held against each other are the rate of the calls and the one
 * that their concurrency allows, by the clock and by a client that asks the same and keeps nothing, before and after; the
 * memory of the scan up to 2,000, 6,000 and 10,000 calls; and the 99th percentile of the reports. With `--in-server` the server itself scans, by a schedule. The figures are in docs/benchmarks.md.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openApp } from '../src/app.ts'
import { parseConfig } from '../src/config.ts'

const LATENCY_MS = 30
const PLAIN_CALLS = 600
const RATE_MIN = 0.8
const MEMORY_RATIO_MAX = 1.25
const REPORT_P99_MS = 50
/** A second in the kernel's own counting, on every Linux there is. */
const CLOCK_TICKS = 100
const SECRET = 'sk-proj-Zq7+vR/4dK=w1&x%41~open'
const ROOT = join(import.meta.dirname, '..')

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '4' },
    'in-server': { type: 'boolean', default: false },
  },
})
const calls = Number(values.calls)
const concurrency = Number(values.concurrency)
const isInServer = values['in-server']
const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
const running: ChildProcess[] = []
try {
  await measure()
} finally {
  const ended = running.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'close'))
  for (const child of running) child.kill()
  await Promise.all(ended)
  rmSync(dir, { recursive: true })
}

async function measure(): Promise<void> {
  const data = join(dir, 'data')
  const ledger = join(dir, 'ledger.ndjson')
  const key = await makeData(data)
  const script = join(dir, 'script.json')
  writeFileSync(script, JSON.stringify({ latencyMs: LATENCY_MS }))
  writeFileSync(ledger, '')
  const engines = start(['test/collect/engines/main.ts', '--ledger', ledger, '--script', script])
  const engineUrl = await firstLine(engines.stdout, /http:.*/)
  const before = await askPlainly(`${engineUrl}/openai/responses`)
  writeFileSync(ledger, '')
  const provider = { base_url: `${engineUrl}/openai`, concurrency, per_minute: 100_000 }
  const targets = [{ engine: 'chatgpt', provider: 'openai', model: 'gpt-5.5' }]
  writeFileSync(
    join(data, 'scan.json'),
    JSON.stringify({
      targets,
      providers: { openai: provider },
      budget: { usd_day: 100_000 },
      schedules: isInServer ? [{ site: 'bench', cron: '* * * * *' }] : [],
    }),
  )
  const scheduled = isInServer ? ['--scan'] : []
  const server = start(['bin/answerlake.js', 'serve', ...scheduled, '--port', '0', '--data-dir', data])
  const serverUrl = await firstLine(server.stderr, /http:\S*/)

  const reports = askReports(serverUrl, key, server)
  const scan = isInServer
    ? endWithScan(server)
    : start(['bin/answerlake.js', 'scan', 'run', '--site', 'bench', '--json', '--data-dir', data])
  scan.stdout?.resume()
  if (!isInServer) scan.stderr?.pipe(process.stderr)
  const startedMs = performance.now()
  const followed = followLedger(ledger, scan)
  const [status] = (await once(scan, 'close')) as [number | null]
  const seconds = (performance.now() - startedMs) / 1_000
  const { asking, memory, cpuSeconds } = await followed
  const after = await askPlainly(`${engineUrl}/openai/responses`)
  const latencies = await reports.stop()

  const allowed = concurrency / (LATENCY_MS / 1_000)
  const rate = asking.entries / asking.seconds
  console.log(
    `exit status ${status}; ${asking.entries} calls asked within ${asking.seconds.toFixed(1)} s, all done after ${seconds.toFixed(1)} s`,
  )
  const plain = (before + after) / 2
  console.log(
    `rate a second: ${rate.toFixed(1)}; ${allowed.toFixed(0)} if nothing but the engines took time (${(rate / allowed).toFixed(2)})`,
  )
  say(
    'rate by that of a plain client',
    rate / plain,
    `${before.toFixed(1)} before, ${after.toFixed(1)} after`,
    rate / plain >= RATE_MIN,
  )
  console.log(
    `processor time of the scan: ${((cpuSeconds * 1_000) / asking.entries).toFixed(1)} ms a call, of ${(1_000 / allowed).toFixed(1)} ms at the allowed rate`,
  )
  const [first = 0, last = 0] = [memory[0]?.mib, memory.at(-1)?.mib]
  const told = memory.map(({ entries, mib }) => `${mib} MiB after ${entries}`).join(', ')
  say('memory of the last part by that of the first', last / first, told, last / first <= MEMORY_RATIO_MAX)
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN
  const median = latencies.toSorted((a, b) => a - b)[latencies.length >> 1] ?? Number.NaN
  say(
    'reports meanwhile, p99 in ms',
    p99,
    `${latencies.length} of them, median ${median.toFixed(1)}`,
    p99 < REPORT_P99_MS,
  )
}

/** Calls a second of a client that does nothing but ask, as many at once. */
async function askPlainly(url: string): Promise<number> {
  const startedMs = performance.now()
  let asked = 0
  const ask = async (): Promise<void> => {
    while (asked < PLAIN_CALLS) {
      asked += 1
      const body = JSON.stringify({ model: 'gpt-5.5', input: `Which tool is best for plain case ${asked}?` })
      const response = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${SECRET}` }, body })
      await response.text()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, ask))
  return PLAIN_CALLS / ((performance.now() - startedMs) / 1_000)
}

function say(name: string, value: number, detail: string, isMet: boolean): void {
  console.log(`${name}: ${value.toFixed(2)} (${detail}): ${isMet ? 'met' : 'MISSED'}`)
}

/** A site with as many prompts as calls; gives a key for its reports. */
async function makeData(data: string): Promise<string> {
  await using app = await openApp(parseConfig({ dataDir: data, environment: {} }, {}, ''), {
    mode: 'server',
    create: true,
  })
  const { catalog } = app
  const { id } = catalog.organizations.create({ name: 'Bench', promptLimit: calls, requestsPerMinute: 1_000_000_000 })
  catalog.sites.create({ id: 'bench', name: 'Acme', domain: 'acme.com', organizationId: id })
  catalog.prompts.add(
    'bench',
    Array.from({ length: calls }, (_, no) => ({
      id: `p${no}`,
      text: `Which tool is best for case ${no}?`,
      category: 'Discovery' as const,
    })),
  )
  return catalog.keys.create({ name: 'bench', expiresInDays: 30, creator: 'bench', organizationId: id }).value
}

function start(argv: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, argv, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ANSWERLAKE_SYSTEM_FILE: '', ANSWERLAKE_SECRET_OPENAI: SECRET },
  })
  running.push(child)
  return child
}

/** A server that is stopped when the scan that it began has ended. */
function endWithScan(server: ChildProcess): ChildProcess {
  let log = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    log = log.slice(-100) + chunk.toString()
    if (log.includes('"msg":"scan ended"')) server.kill('SIGTERM')
  })
  return server
}

async function firstLine(stream: Readable | null, expression: RegExp): Promise<string> {
  if (stream === null) throw new Error('there is no output')
  for await (const line of createInterface(stream)) {
    const [found] = expression.exec(line) ?? []
    if (found === undefined) continue
    stream.resume()
    return found
  }
  throw new Error(`it ended before it said ${expression}`)
}

/**
 * Counts what engines have read, and follows the memory of the scan: its median over the tenth of the calls that ends at 2, 6 and
 * 10 tenths, since an import under way holds more for a moment.
 */
async function followLedger(path: string, scan: ChildProcess): Promise<Followed> {
  const seen: { entries: number; mib: number }[] = []
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(1 << 20)
  let [entries, firstMs, lastMs, at, cpuSeconds] = [0, 0, 0, 0, 0]
  while (scan.exitCode === null && scan.signalCode === null) {
    while (at < fstatSync(file).size) {
      const read = readSync(file, bytes, 0, bytes.length, at)
      at += read
      entries += bytes.subarray(0, read).filter((byte) => byte === 0x0a).length
      lastMs = performance.now()
      if (firstMs === 0) firstMs = lastMs
    }
    seen.push({ entries, mib: readMib(scan.pid) })
    cpuSeconds = Math.max(cpuSeconds, readCpuSeconds(scan.pid))
    await sleep(20)
  }
  closeSync(file)
  const memory = [0.2, 0.6, 1].map((part) => {
    const within = seen.filter(
      ({ entries, mib }) => mib > 0 && entries > (part - 0.1) * calls && entries <= part * calls,
    )
    return {
      entries: part * calls,
      mib: within.map(({ mib }) => mib).toSorted((a, b) => a - b)[within.length >> 1] ?? 0,
    }
  })
  return { asking: { entries, seconds: (lastMs - firstMs) / 1_000 }, memory, cpuSeconds }
}

interface Followed {
  readonly asking: { readonly entries: number; readonly seconds: number }
  readonly memory: readonly { readonly entries: number; readonly mib: number }[]
  /** Of the scan, its start and its imports included. */
  readonly cpuSeconds: number
}

/** Of all its threads; 0 when it is gone. */
function readCpuSeconds(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
  } catch {
    return 0
  }
}

/** 0 when it is gone. */
function readMib(pid: number | undefined): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kib) / 1_024)
  } catch {
    return 0
  }
}

/** Asks a server for a report ten times a second; gives how long each took. */
function askReports(url: string, key: string, server: ChildProcess): { stop(): Promise<readonly number[]> } {
  const day = new Date().toISOString().slice(0, 10)
  const body = JSON.stringify({
    site_id: 'bench',
    start_date: day,
    end_date: day,
    brands: 'all',
    group_by: ['platform'],
  })
  const latencies: number[] = []
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted && !server.killed) {
      const startedMs = performance.now()
      const response = await fetch(`${url}/v1/reports/visibility`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body,
      }).catch((error: unknown) => {
        if (!server.killed) throw error
      })
      if (response === undefined) return
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      latencies.push(performance.now() - startedMs)
      await sleep(Math.max(0, 100 - (performance.now() - startedMs)))
    }
  })()
  return {
    async stop() {
      over.abort()
      await asking
      return latencies
    },
  }
}
