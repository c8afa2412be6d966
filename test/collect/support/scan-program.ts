import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Readable } from 'node:stream'
import type { StepPoint } from '../../faults/support/steps.ts'
import { secretEnvironment } from '../engines/secrets.ts'

const VICTIM = fileURLToPath(new URL('./scan-victim.ts', import.meta.url))

export interface ScanEnding {
  /** Null when it was killed. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** What it did on the disk, in its order; empty when it was killed. */
  readonly steps: readonly string[]
  readonly ms: number
}

export interface ScanProgramOptions {
  readonly death?: StepPoint
  /** May kill it, or send it signals, at any time. */
  readonly withChild?: (child: ChildProcess) => void
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a command of the program in a process of its own, with the secrets of all engines in its environment. */
export async function runScanProgram(
  argv: readonly string[],
  { death, withChild, environment = {} }: ScanProgramOptions = {},
): Promise<ScanEnding> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [VICTIM, JSON.stringify({ argv, ...(death ? { death } : {}) })], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      TZ: 'Asia/Kolkata',
      ANSWERLAKE_SYSTEM_FILE: '',
      UV_THREADPOOL_SIZE: '8',
      NODE_COMPILE_CACHE: join(tmpdir(), 'answerlake-compile-cache'),
      ...secretEnvironment(),
      ...environment,
    },
  })
  withChild?.(child)
  const [, stdout, stderr, told] = child.stdio as unknown as [null, Readable, Readable, Readable]
  const [[status], out, err, steps] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(stdout),
    text(stderr),
    text(told),
  ])
  return {
    status,
    stdout: out,
    stderr: err,
    steps: steps === '' ? [] : (JSON.parse(steps) as string[]),
    ms: performance.now() - startedMs,
  }
}
