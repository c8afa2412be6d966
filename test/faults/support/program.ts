import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../../bin/answerlake.js', import.meta.url))

export interface Ending {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly uid?: number
  /** It is killed then, if it still runs; its status is null. */
  readonly killAfterMs?: number
}

/** Runs a command of the program to its end, as an operator does. */
export async function runProgram(argv: readonly string[], options: ProgramOptions = {}): Promise<Ending> {
  const { environment = {}, uid, killAfterMs } = options
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ANSWERLAKE_SYSTEM_FILE: '', PATH: process.env['PATH'], ...environment },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [status] = await ended
  clearTimeout(timer)
  return { status, stdout, stderr }
}

/** Whether a failure is told in words, without the program's own insides. */
export function isClear({ status, stderr }: Ending): boolean {
  return status === 0 || (status === 1 && /^answerlake: /m.test(stderr) && !/unexpected failure|\.ts:\d/.test(stderr))
}
