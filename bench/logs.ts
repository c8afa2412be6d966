/**
 * Importing a combined access log: `npm run build && node bench/logs.ts [LINES]`. In one run, side by side: the import by the command line,
 * from the start of the process to its end, and once more when the log has grown by a hundredth; goaccess where it is installed;
 * `gzip -dc` of the compressed log, and its import. Each time is the best of the rounds, goaccess runs once. The figures
 * are in docs/benchmarks.md.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeLogCorpus } from './log-corpus.ts'
import { watchPeakMemory } from './peak-memory.ts'

const LINES = Number(process.argv[2] ?? 10_000_000)
const ROUNDS = 3
const GROWTH = Math.round(LINES / 100)
const PROGRAM = join(import.meta.dirname, '../dist/cli.js')

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))
try {
  const log = join(dir, 'access.log')
  await writeLogCorpus(log, { lines: LINES, days: 30, firstDay: '2026-10-01' })
  execFileSync('gzip', ['-k', log])
  const packed = `${log}.gz`
  const mib = (path: string): string => `${Math.round(statSync(path).size / 2 ** 20)} MiB`
  console.log(`${LINES.toLocaleString('en')} lines, ${mib(log)}, gzip ${mib(packed)}`)

  const times = { plain: Infinity, grown: Infinity, unzip: Infinity, packed: Infinity }
  let peakMib = 0
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await importLog(log)
    times.plain = Math.min(times.plain, plain.seconds)
    times.grown = Math.min(times.grown, plain.grownSeconds)
    times.unzip = Math.min(times.unzip, runSeconds('sh', ['-c', `gzip -dc '${packed}' > /dev/null`]))
    const unpacked = await importLog(packed)
    times.packed = Math.min(times.packed, unpacked.seconds)
    peakMib = Math.max(peakMib, plain.peakMib, unpacked.peakMib)
  }
  const rate = Math.round(LINES / times.plain)
  report('import, plain file', times.plain, `at least 1,200,000 lines/s: ${rate >= 1_200_000 ? 'met' : 'MISSED'}`)
  console.log(`peak memory ${peakMib} MiB (at most 572, 600 MB): ${peakMib <= 572 ? 'met' : 'MISSED'}`)
  report('a hundredth more', times.grown, compare('this', 'the first import', times.grown / times.plain, 0.05))
  report('import, gzip', times.packed, '')
  report('gzip -dc', times.unzip, compare('the import', 'this', times.packed / times.unzip, 1.5))
  const goaccess = runGoaccess(log)
  if (goaccess === undefined) console.log('goaccess is not installed')
  else report('goaccess', goaccess, compare('the import', 'this', times.plain / goaccess, 0.06))
} finally {
  rmSync(dir, { recursive: true, force: true })
}

function report(what: string, seconds: number, note: string): void {
  const rate = `${Math.round(LINES / seconds).toLocaleString('en')} lines/s`
  console.log(`${what}: ${seconds.toFixed(2)} s, ${rate}${note === '' ? '' : `; ${note}`}`)
}

function compare(what: string, other: string, ratio: number, ratioMax: number): string {
  return `${what} takes ${ratio.toFixed(2)} of ${other} (at most ${ratioMax.toFixed(2)}): ${ratio <= ratioMax ? 'met' : 'MISSED'}`
}

interface Imported {
  readonly seconds: number
  /** Of a second call, when the log has grown by a hundredth. A compressed log isn't imported again. */
  readonly grownSeconds: number
  readonly peakMib: number
}

/** Calls the command line for a new data directory. */
async function importLog(path: string): Promise<Imported> {
  const dataDir = mkdtempSync(join(dir, 'data-'))
  const create = ['sites', 'create', '--name', 'Example', '--domain', 'example.com', '--data-dir', dataDir]
  execFileSync(process.execPath, [PROGRAM, ...create], { stdio: 'ignore' })
  const { seconds, peakMib } = await callImport(path, dataDir, LINES)
  let grownSeconds = Infinity
  if (!path.endsWith('.gz')) {
    const { size } = statSync(path)
    appendFileSync(path, execFileSync('tail', ['-n', String(GROWTH), path], { maxBuffer: 2 ** 30 }))
    grownSeconds = (await callImport(path, dataDir, LINES + GROWTH)).seconds
    truncateSync(path, size)
  }
  rmSync(dataDir, { recursive: true })
  return { seconds, grownSeconds, peakMib }
}

async function callImport(path: string, dataDir: string, lines: number): Promise<Omit<Imported, 'grownSeconds'>> {
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
  if (code !== 0 || result.lines !== lines) throw new Error(`the import went wrong: ${code} ${printed}`)
  return { seconds, peakMib }
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
