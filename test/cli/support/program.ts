import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** The program as an operator starts it: the checkout's, or the single executable that ANSWERLAKE_EXE names. */
const PROGRAM: readonly [string, ...string[]] =
  process.env['ANSWERLAKE_EXE'] === undefined
    ? [process.execPath, resolve('bin/answerlake.js')]
    : [resolve(process.env['ANSWERLAKE_EXE'])]

/** An environment in which nothing of the test's own is set. */
export function makeEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: CACHE,
    TZ: 'Asia/Kolkata',
    NO_COLOR: '1',
    ANSWERLAKE_SYSTEM_FILE: '',
  }
}

/** One for all tests, so that the executable unpacks itself once. */
const CACHE = resolve('node_modules/.cache/tests')

/** A directory with an `answerlake` to be put in front of PATH. */
export function installProgram(directory: string): string {
  const bin = join(directory, '.bin')
  mkdirSync(bin)
  const words = PROGRAM.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  writeFileSync(join(bin, 'answerlake'), `#!/bin/sh\nexec ${words} "$@"\n`)
  chmodSync(join(bin, 'answerlake'), 0o755)
  return bin
}

export interface RunningProgram {
  readonly child: ChildProcessWithoutNullStreams
  /** Waits until what was written to standard error, or to `stream`, matches. */
  waitFor(expression: RegExp, stream?: 'stdout' | 'stderr'): Promise<RegExpExecArray>
  /** What was written so far, or in all when it ended. */
  readonly output: { stdout: string; stderr: string }
  /** Waits for the end. */
  finish(): Promise<{ status: number | null; signal: string | null }>
}

/** Starts the program in a directory; it is killed when the test is over. */
export function startProgram(argv: readonly string[], directory: string): RunningProgram {
  const [command, ...first] = PROGRAM
  const child = spawn(command, [...first, ...argv], { cwd: directory, env: makeEnvironment(directory) })
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      for (const look of waiting) look()
    })
  }
  return {
    child,
    output,
    async finish() {
      const [status, signal] = await ended
      return { status, signal }
    },
    waitFor(expression, stream = 'stderr') {
      const { promise, resolve: found, reject } = Promise.withResolvers<RegExpExecArray>()
      const look = (): void => {
        const match = expression.exec(output[stream])
        if (match === null) return
        waiting.delete(look)
        found(match)
      }
      waiting.add(look)
      void ended.then(() => reject(new Error(`the program ended before ${expression}: ${output.stderr}`)))
      look()
      return promise
    },
  }
}
