import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listStray, listStrayOfBackup, listUnsound } from './inspection.ts'
import { type Operation, OPERATIONS } from './operations.ts'
import { createRandom, shuffle } from './random.ts'
import type { State } from './state.ts'
import type { StepPoint } from './steps.ts'
import { runVictim } from './victims.ts'
import { type Dirs, makeWorld, toDirs } from './world.ts'

/** One killing: at a step of an operation, or some time after its begin. */
export interface KillPoint {
  readonly operation: string
  readonly at: StepPoint | { readonly ms: number }
  /** What the point is, for people: `import: before link data/lake/…`. */
  readonly name: string
}

/** What is known of an operation that nobody kills. */
interface Rehearsal {
  readonly before: State
  readonly after: State
  readonly steps: readonly string[]
  readonly ms: number
}

export interface Stage {
  readonly template: Dirs
  readonly operations: Readonly<Record<string, Operation>>
  readonly rehearsals: Readonly<Record<string, Rehearsal>>
  close(): void
}

/** Makes the world that every round begins with, and does each operation once. */
export async function setUpStage(operations: Readonly<Record<string, Operation>> = OPERATIONS): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-kills-'))
  const template = await makeWorld(join(root, 'template'))
  const rehearsals: Record<string, Rehearsal> = {}
  // Each operation begins with the same world; many look at the same of it.
  const befores = new Map<Operation['readState'], State>()
  for (const [name, operation] of Object.entries(operations)) {
    const dirs = cloneWorld(template, join(root, 'rehearsal'))
    const before = befores.get(operation.readState) ?? (await operation.readState(dirs))
    befores.set(operation.readState, before)
    const { steps, ms } = await runVictim({ root: dirs.root, operation: name, tells: true })
    const after = await operation.readState(dirs)
    if (isSame(before, after)) throw new Error(`${name} changes nothing, so that nothing can be seen of it`)
    rehearsals[name] = { before, after, steps, ms }
    rmSync(dirs.root, { recursive: true })
  }
  return { template, operations, rehearsals, close: () => rmSync(root, { recursive: true, force: true }) }
}

/** Nobody has a copied world open, so its catalog may be copied by its file. */
export function cloneWorld(template: Dirs, root: string): Dirs {
  cpSync(template.root, root, { recursive: true })
  return toDirs(root)
}

/** As many points as wanted, spread over all operations: three quarters at steps, each of them once, the rest at times. */
export function planKills({ rehearsals }: Stage, count: number, seed: number): KillPoint[] {
  const random = createRandom(seed)
  const planned = Object.entries(rehearsals).map(([operation, { steps, ms }]) => ({
    operation,
    ms,
    atSteps: shuffle(listStepPoints(operation, steps), random),
  }))
  const points: KillPoint[] = []
  for (let round = 0; points.length < count; round++) {
    for (const { operation, ms, atSteps } of planned.slice(0, count - points.length)) {
      const next = round % 4 === 3 ? undefined : atSteps.pop()
      points.push(next ?? toTimePoint(operation, Math.round(random() * ms)))
    }
  }
  return points
}

/** Before and after each step of an operation. */
export function listStepPoints(
  operation: string,
  steps: readonly string[],
): (KillPoint & { readonly at: StepPoint })[] {
  return steps.flatMap((step, index) =>
    (['before', 'after'] as const).map((when) => ({
      operation,
      at: { step: index, when },
      name: `${operation}: ${when} ${index} ${step}`,
    })),
  )
}

function toTimePoint(operation: string, ms: number): KillPoint {
  return { operation, at: { ms }, name: `${operation}: after ${ms} ms` }
}

export interface KillTrial {
  /** What is wrong with what is left, a line each; nothing is well. */
  readonly wrong: readonly string[]
  /** False when it was done sooner. */
  readonly wasKilled: boolean
}

/** Kills once and looks at what is left. */
export async function tryKill(
  { template, operations, rehearsals }: Stage,
  point: KillPoint,
  retriesFirst: boolean,
): Promise<KillTrial> {
  const [operation, rehearsal] = [operations[point.operation], rehearsals[point.operation]]
  if (!operation || !rehearsal) throw new Error(`there is no operation ${point.operation}`)
  const { before, after } = rehearsal
  const dirs = cloneWorld(template, mkdtempSync(join(template.root, '..', 'round-')))
  const wrong: string[] = []
  let wasKilled = false
  try {
    const task = { root: dirs.root, operation: point.operation }
    const death = await ('ms' in point.at
      ? runVictim(task, { killAfterMs: point.at.ms })
      : runVictim({ ...task, death: point.at }))
    wasKilled = death.wasKilled
    const found = await operation.readState(dirs)
    if (!isBetween(found, before, after, operation.isAtomic))
      wrong.push(`the state is neither the one before nor the one after: ${JSON.stringify({ found, before, after })}`)
    if (death.wasDone && !isSame(found, after)) wrong.push('it was done, and is not there')
    wrong.push(...(await listUnsound(dirs.data)))
    if (!retriesFirst) wrong.push(...(await listStray(dirs.data)))
    if (!(operation.isOnce && isSame(found, after))) await operation.run(dirs)
    if (!isSame(await operation.readState(dirs), after)) wrong.push('doing it again does not complete it')
    wrong.push(...listStrayOfBackup(dirs.backup))
    for (const dataDir of [dirs.data, dirs.restored, dirs.fresh]) {
      if (existsSync(dataDir)) wrong.push(...(await listStray(dataDir)), ...(await listUnsound(dataDir)))
    }
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    rmSync(dirs.root, { recursive: true, force: true })
  }
  return { wrong: wrong.map((line) => `${point.name}: ${line}`), wasKilled }
}

function isBetween(found: State, before: State, after: State, isAtomic: boolean): boolean {
  if (isAtomic) return isSame(found, before) || isSame(found, after)
  const parts = new Set([found, before, after].flatMap((state) => Object.keys(state)))
  return [...parts].every((part) => found[part] === before[part] || found[part] === after[part])
}

export function isSame(a: State, b: State): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
