import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listStray, listUnsound } from './inspection.ts'
import { cloneWorld, isSame } from './kills.ts'
import { type Operation, OPERATIONS } from './operations.ts'
import { createRandom } from './random.ts'
import type { State } from './state.ts'
import { isTold, runVictim } from './victims.ts'
import { type Dirs, makeWorld } from './world.ts'

type Name = keyof typeof OPERATIONS
export type Pair = readonly [Name, Name]

/** Operations that meet each other: of the same answers or logs, once each or both the same, and deletions of all. */
const PAIRS: readonly Pair[] = [
  ['undo answers', 'import'],
  ['undo logs', 'import logs'],
  ['undo answers', 'undo answers'],
  ['undo sentiment', 'import sentiment'],
  ['undo sentiment', 'undo answers'],
  ['delete answers', 'undo answers'],
  ['delete logs', 'undo logs'],
  ['delete answers', 'import'],
  ['delete logs', 'import logs'],
  ['replace answers', 'undo answers'],
  ['replace answers', 'delete answers'],
  ['retire answers', 'import'],
  ['retire raw', 'replace answers'],
  ['retire logs', 'undo logs'],
  ['delete site', 'undo answers'],
  ['delete site', 'replace answers'],
  ['delete organization', 'import'],
  ['delete organization', 'delete logs'],
  ['undo answers', 'compact'],
  ['delete answers', 'collect'],
]

/** How two operations end: what is there then, and which of them failed. */
interface Ending {
  readonly state: State
  readonly failed: readonly [boolean, boolean]
}

export interface PairPoint {
  readonly pair: Pair
  /** How much later than the first the second begins; the reverse below 0. */
  readonly delayMs: number
}

export interface PairStage {
  readonly pairs: readonly Pair[]
  /** Does both at once. Gives what is wrong then, a line each; nothing is well. */
  tryPair(point: PairPoint): Promise<string[]>
  close(): void
}

/** Makes the world that every round begins with; each pair is done in both orders, one after the other, when it is first met. */
export async function setUpPairs(pairs: readonly Pair[] = PAIRS): Promise<PairStage> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-pairs-'))
  const template = await makeWorld(join(root, 'template'))
  const serial = new Map<Pair, Promise<readonly Ending[]>>()
  const inOrders = (pair: Pair): Promise<readonly Ending[]> => {
    const [first, second] = pair
    const made =
      serial.get(pair) ??
      Promise.all([runSerially(template, [first, second]), runSerially(template, [second, first]).then(turned)])
    serial.set(pair, made)
    return made
  }
  return {
    pairs,
    async tryPair({ pair, delayMs }) {
      const allowed = await inOrders(pair)
      const dirs = cloneWorld(template, mkdtempSync(join(root, 'round-')))
      const wrong: string[] = []
      try {
        const delays = [Math.max(0, -delayMs), Math.max(0, delayMs)]
        const failures = await Promise.all(
          pair.map(async (operation, index) => {
            await new Promise((resolve) => setTimeout(resolve, delays[index]))
            return runVictim({ root: dirs.root, operation }, { mayFail: true }).then(({ failure }) => failure)
          }),
        )
        wrong.push(...failures.filter((failure) => failure !== undefined && !isTold(failure)).map(String))
        const [first, second] = failures.map((failure) => failure !== undefined)
        const ending = { state: await readState(dirs, pair), failed: [first, second] }
        if (
          !allowed.some(({ state, failed }) => isSame(state, ending.state) && String(failed) === String(ending.failed))
        )
          wrong.push(`neither as one after the other nor the reverse: ${JSON.stringify({ ending, allowed, failures })}`)
        wrong.push(...(await listUnsound(dirs.data)), ...(await listStray(dirs.data)))
      } catch (error) {
        wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
      } finally {
        rmSync(dirs.root, { recursive: true, force: true })
      }
      return wrong.map((line) => `${pair.join(' beside ')}, ${delayMs} ms apart: ${line}`)
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** As many points as wanted, the pairs in turns. */
export function planPairs({ pairs }: PairStage, count: number, seed: number): PairPoint[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, index) => ({
    pair: pairs[index % pairs.length]!,
    delayMs: Math.round((random() - 0.5) * DELAY_MS_MAX),
  }))
}

/** An operation takes some hundred milliseconds. */
const DELAY_MS_MAX = 600

async function runSerially(template: Dirs, pair: Pair): Promise<Ending> {
  const dirs = cloneWorld(template, mkdtempSync(join(template.root, '..', 'serial-')))
  try {
    const failed: boolean[] = []
    for (const operation of pair) {
      const { failure } = await runVictim({ root: dirs.root, operation }, { mayFail: true })
      failed.push(failure !== undefined)
    }
    return { state: await readState(dirs, pair), failed: [failed[0]!, failed[1]!] }
  } finally {
    rmSync(dirs.root, { recursive: true, force: true })
  }
}

const turned = ({ state, failed: [first, second] }: Ending): Ending => ({ state, failed: [second, first] })

/** The part of both that may change: what the deletion of a site leaves, where one is among them. */
function readState(dirs: Dirs, pair: Pair): Promise<State> {
  const operations: readonly Operation[] = pair.map((name) => OPERATIONS[name])
  const widest = operations.find(({ readState: read }) => read === OPERATIONS['delete site'].readState) ?? operations[0]
  return widest!.readState(dirs)
}
