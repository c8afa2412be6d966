import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// From starting the process to a server that listens over an empty directory, and to the first answer; then two short
// commands. Wall clock, and where Linux counts it the processor time of the main thread, which other work on the machine
// doesn't lengthen. Programs take turns, so that all of them meet the same load.
const ROUNDS = Number(process.argv[2] ?? 20)
const ROOT = join(import.meta.dirname, '..')

const PROGRAMS = Object.entries({
  'node bin/answerlake.js': [process.execPath, join(ROOT, 'bin/answerlake.js')],
  'node dist/cli.js': [process.execPath, join(ROOT, 'dist/cli.js')],
  'dist/answerlake': [join(ROOT, 'dist/answerlake')],
}).flatMap(([name, words]) => {
  const [command = '', ...first] = words
  return existsSync(first[0] ?? command) ? [{ name, command, first, figures: new Map<string, number[]>() }] : []
})
type Program = (typeof PROGRAMS)[number]

const dir = mkdtempSync(join(tmpdir(), 'answerlake-bench-'))

function start({ command, first }: Program, ...argv: readonly string[]): ChildProcess {
  return spawn(command, [...first, ...argv], { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] })
}

function note({ figures }: Program, name: string, milliseconds: number): void {
  figures.set(name, [...(figures.get(name) ?? []), milliseconds])
}

async function measureServer(program: Program, dataDir: string): Promise<void> {
  const startedMs = performance.now()
  const child = start(program, 'serve', '--port', '0', '--data-dir', dataDir)
  const url = await readUrl(child)
  note(program, 'listening', performance.now() - startedMs)
  note(program, 'listening, CPU', readMainThreadMs(child.pid))
  const response = await fetch(`${url}/healthz`)
  note(program, 'first answer', performance.now() - startedMs)
  if (!response.ok) throw new Error(`/healthz answered ${response.status}`)
  child.kill('SIGTERM')
  await once(child, 'close')
}

async function readUrl(child: ChildProcess): Promise<string> {
  let written = ''
  for await (const chunk of child.stderr ?? []) {
    written += String(chunk)
    const url = /listening on (\S+)/.exec(written)?.[1]
    if (url !== undefined) {
      child.stderr?.resume()
      return url
    }
  }
  throw new Error(`it ended before it listened: ${written}`)
}

async function measureCommand(program: Program, ...argv: readonly string[]): Promise<void> {
  const startedMs = performance.now()
  const child = start(program, ...argv, '--data-dir', join(dir, 'filled'))
  const [code] = (await once(child, 'close')) as [number]
  note(program, argv.join(' '), performance.now() - startedMs)
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
}

function readMainThreadMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

try {
  for (let round = 0; round <= ROUNDS; round++) {
    // The first round fills the caches and counts for nothing.
    if (round === 1) for (const { figures } of PROGRAMS) figures.clear()
    for (const program of PROGRAMS) {
      await measureServer(program, join(dir, `empty-${round}-${PROGRAMS.indexOf(program)}`))
      if (round === 0) await measureCommand(program, 'orgs', 'create', '--name', `Org ${program.name}`)
      await measureCommand(program, 'keys', 'list')
      await measureCommand(program, '--version')
    }
  }
  for (const { name, figures } of PROGRAMS) {
    for (const [what, values] of figures) {
      const sorted = values.toSorted((a, b) => a - b)
      const [least = 0, median = 0] = [sorted[0], sorted[sorted.length >> 1]]
      process.stdout.write(`${name}, ${what}: least ${least.toFixed(0)} ms, median ${median.toFixed(0)} ms\n`)
    }
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
