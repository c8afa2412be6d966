import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { VictimTask } from './victim.ts'

const VICTIM = fileURLToPath(new URL('./victim.ts', import.meta.url))

/** How a victim ended. */
export interface Death {
  readonly wasKilled: boolean
  /** It had said that its work is done. */
  readonly wasDone: boolean
  /** What it said when it failed. */
  readonly failure?: string
  /** Steps in their order, when it was to tell them. */
  readonly steps: readonly string[]
  /** From the beginning of its work to its end. */
  readonly ms: number
}

export interface VictimOptions {
  /** It is killed that long after its work began. */
  readonly killAfterMs?: number
  /** Done while it stands still where its task says so; afterwards it goes on, and may fail. */
  readonly meanwhile?: () => Promise<void>
  /** It may fail. */
  readonly mayFail?: boolean
}

/** Whether a failure is one that the program tells of, in words. */
export const isTold = (failure: string): boolean => /^(?:CommandError|ApiError|Error \[CommandError)/m.test(failure)

/** Runs a victim to its end. Throws when it fails by itself, unless it was stopped or may fail. */
export async function runVictim(
  task: VictimTask,
  { killAfterMs, meanwhile, mayFail = meanwhile !== undefined }: VictimOptions = {},
): Promise<Death> {
  const child = spawn(process.execPath, [VICTIM, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '8', NODE_COMPILE_CACHE: join(tmpdir(), 'answerlake-compile-cache') },
  })
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  let steps: string[] = []
  let wasDone = false
  let begunMs = 0
  let timer: NodeJS.Timeout | undefined
  for await (const line of createInterface(child.stdout)) {
    if (line === 'begins') {
      begunMs = performance.now()
      if (killAfterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    } else if (line === 'stands still') {
      try {
        await meanwhile?.()
      } finally {
        child.kill('SIGCONT')
      }
    } else if (line === 'done') wasDone = true
    else steps = JSON.parse(line) as string[]
  }
  const [code, signal] = await ended
  clearTimeout(timer)
  const hasFailed = signal !== 'SIGKILL' && code !== 0
  if (hasFailed && !mayFail) throw new Error(`${JSON.stringify(task)} failed: ${errors}`)
  const ms = performance.now() - begunMs
  return { wasKilled: signal === 'SIGKILL', wasDone, ...(hasFailed ? { failure: errors } : {}), steps, ms }
}
