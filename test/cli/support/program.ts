import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** The program as an operator starts it: the checkout's, or the single executable that ANSWERLAKE_EXE names. */
const PROGRAM: readonly [string, ...string[]] =
  process.env['ANSWERLAKE_EXE'] === undefined
    ? [process.execPath, resolve('bin/answerlake.js')]
    : [resolve(process.env['ANSWERLAKE_EXE'])]

/** An environment in which nothing of the test's own is set. */
export function makeEnvironment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'Asia/Kolkata', NO_COLOR: '1' }
}

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
  /** Waits for a line on standard error that the expression matches. */
  waitFor(expression: RegExp): Promise<RegExpExecArray>
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
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  const lines: string[] = []
  const waiting = new Set<() => void>()
  createInterface(child.stderr).on('line', (line) => {
    output.stderr += `${line}\n`
    lines.push(line)
    for (const look of waiting) look()
  })
  return {
    child,
    output,
    async finish() {
      const [status, signal] = await ended
      return { status, signal }
    },
    waitFor(expression) {
      const { promise, resolve: found, reject } = Promise.withResolvers<RegExpExecArray>()
      const look = (): void => {
        const match = lines.map((line) => expression.exec(line)).find((result) => result !== null)
        if (match === undefined) return
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
