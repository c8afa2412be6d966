import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { rmSync } from 'node:fs'
import type { Clock } from '../../../src/clock.ts'
import { defineGroup, type Command, type Loader } from '../../../cli/command.ts'
import { program } from '../../../cli/commands.ts'
import { runCommandLine, type ExitStatus } from '../../../cli/run.ts'
import { openTestIo } from './test-io.ts'

export interface RunOptions {
  readonly table?: Readonly<Record<string, Command | Loader>>
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly systemFile?: string
  readonly clock?: Clock
  readonly signal?: AbortSignal
  /** Columns of a terminal; true for 100. */
  readonly terminal?: boolean | number
  readonly stdin?: string | Buffer
}

export interface RunResult {
  readonly status: ExitStatus
  readonly stdout: string
  readonly stderr: string
}

/** A clock that stands still. */
export const FIXED_CLOCK: Clock = { now: () => Date.UTC(2026, 10, 20, 7, 3, 9, 120) }

/** Runs a command line in this process, as `main.ts` would. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const io = openTestIo(options)
  const { table } = options
  const commands = table === undefined ? program : defineGroup({ summary: 'test', commands: table, examples: [] })
  const status = await runCommandLine(argv, commands, {
    io,
    environment: options.environment ?? {},
    systemFile: options.systemFile ?? '',
    clock: options.clock ?? FIXED_CLOCK,
    signal: options.signal ?? new AbortController().signal,
  })
  return { status, stdout: io.stdout.text, stderr: io.stderr.text }
}

/** An empty directory of the running test's own. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'answerlake-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Runs command lines on one data directory and gives their parsed JSON results. */
export async function runJson<T>(dataDir: string, ...argv: readonly string[]): Promise<T> {
  const result = await run([...argv, '--json', '--data-dir', dataDir])
  if (result.status !== 0 && result.status !== 3) throw new Error(`exit ${result.status}: ${result.stderr}`)
  return JSON.parse(result.stdout) as T
}
