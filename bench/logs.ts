/**
 * Importing a combined access log: `npm run build && node bench/logs.ts [LINES]`. In one run, side by side: the import by the command line,
 * from the start of the process to its end; DuckDB that only splits the lines into fields; goaccess where it is installed;
 * `gzip -dc` of the compressed log, and its import. Each time is the best of the rounds, goaccess runs once. The figures
 * are in docs/benchmarks.md.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { writeLogCorpus } from './log-corpus.ts'
import { watchPeakMemory } from './peak-memory.ts'

const LINES = Number(process.argv[2] ?? 10_000_000)
const ROUNDS = 3
const THREADS = 2
const PROGRAM = join(import.meta.dirname, '../dist/cli.js')

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  const log = join(dir, 'access.log')
  await writeLogCorpus(log, { lines: LINES, days: 30, firstDay: '2026-10-01' })
  execFileSync('gzip', ['-k', log])
  const packed = `${log}.gz`
  const mib = (path: string): string => `${Math.round(statSync(path).size / 2 ** 20)} MiB`
  console.log(`${LINES.toLocaleString('en')} lines, ${mib(log)}, gzip ${mib(packed)}`)

  const times = { ours: Infinity, duckdb: Infinity, unzip: Infinity, oursPacked: Infinity }
  let peakMib = 0
  for (let round = 0; round < ROUNDS; round++) {
    times.duckdb = Math.min(times.duckdb, await splitWithDuckDb(log))
    const plain = await importLog(log)
    times.ours = Math.min(times.ours, plain.seconds)
    times.unzip = Math.min(times.unzip, runSeconds('sh', ['-c', `gzip -dc '${packed}' > /dev/null`]))
    const unpacked = await importLog(packed)
    times.oursPacked = Math.min(times.oursPacked, unpacked.seconds)
    peakMib = Math.max(peakMib, plain.peakMib, unpacked.peakMib)
  }
  report('import, plain file', times.ours, `peak memory ${peakMib} MiB`)
  report('DuckDB, splitting the fields', times.duckdb, compare('import', times.ours / times.duckdb, 2))
  report('import, gzip', times.oursPacked, '')
  report('gzip -dc', times.unzip, compare('import', times.oursPacked / times.unzip, 1 / 0.6))
  const goaccess = runGoaccess(log)
  if (goaccess === undefined) console.log('goaccess is not installed')
  else report('goaccess', goaccess, compare('import', times.ours / goaccess, 0.1))
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function report(what: string, seconds: number, note: string): void {
  const rate = `${Math.round(LINES / seconds).toLocaleString('en')} lines/s`
  console.log(`${what}: ${seconds.toFixed(2)} s, ${rate}${note === '' ? '' : `; ${note}`}`)
}

function compare(what: string, ratio: number, ratioMax: number): string {
  return `${what} takes ${ratio.toFixed(2)} of this (at most ${ratioMax.toFixed(2)}): ${ratio <= ratioMax ? 'met' : 'MISSED'}`
}

/** One call of the command line into a new data directory. */
async function importLog(path: string): Promise<{ seconds: number; peakMib: number }> {
  const dataDir = mkdtempSync(join(dir, 'data-'))
  const run = (...args: string[]): void => {
    execFileSync(process.execPath, [PROGRAM, ...args, '--data-dir', dataDir], { stdio: 'ignore' })
  }
  run('sites', 'create', '--name', 'Example', '--domain', 'example.com')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [PROGRAM, 'import', 'logs', '--site', 'example.com', '--json', path, '--data-dir', dataDir],
    // The package's launcher sets this, too.
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, UV_THREADPOOL_SIZE: '24' } },
  )
  const memory = watchPeakMemory(child.pid)
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  const seconds = (performance.now() - started) / 1_000
  const peakMib = memory.stop()
  const result = JSON.parse(printed) as { lines: number; rejected: number }
  if (code !== 0 || result.lines !== LINES) throw new Error(`the import went wrong: ${code} ${printed}`)
  rmSync(dataDir, { recursive: true })
  return { seconds, peakMib }
}

async function splitWithDuckDb(path: string): Promise<number> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(THREADS) })
  const connection = await instance.connect()
  const names = ['address', 'ident', 'login', 'day', 'zone', 'request', 'status', 'bytes', 'referer', 'agent']
  const columns = names.map((name) => `'${name}': 'VARCHAR'`).join(', ')
  const started = performance.now()
  const reader = await connection.runAndReadAll(`
    SELECT count(*)::INTEGER, ${names.map((name) => `count(${name})`).join(', ')}
    FROM read_csv('${path}', header = false, auto_detect = false, delim = ' ', quote = '"', escape = '', columns = {${columns}})`)
  const seconds = (performance.now() - started) / 1_000
  if (reader.getRowsJS()[0]?.[0] !== LINES) throw new Error('DuckDB has not split all lines')
  connection.closeSync()
  instance.closeSync()
  return seconds
}

function runGoaccess(path: string): number | undefined {
  if (spawnSync('goaccess', ['--version']).error) return undefined
  const args = [path, '--log-format=COMBINED', '--no-global-config', '-o', join(dir, 'report.json')]
  return runSeconds('goaccess', args)
}

function runSeconds(program: string, args: readonly string[]): number {
  const started = performance.now()
  execFileSync(program, args, { stdio: 'ignore' })
  return (performance.now() - started) / 1_000
}
