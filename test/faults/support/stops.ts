import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LEASE_STUCK_MS } from '../../../src/limits.ts'
import { listStray, listStrayOfBackup, listUnsound } from './inspection.ts'
import { cloneWorld, isSame, type KillPoint, listStepPoints, type Stage } from './kills.ts'
import { createRandom, shuffle } from './random.ts'
import type { Operation } from './operations.ts'
import type { StepPoint } from './steps.ts'
import { isTold, runVictim } from './victims.ts'

/** A process that stands still at a step for as long as another one needs for the same work. */
export type StopPoint = KillPoint & { readonly at: StepPoint }

/** Beside the time after which a process that stands still is passed over, what the other one may need for the work itself. */
const WORK_MS_MAX = 30_000

/**
 * As many points as wanted, each operation in its turn. None within a transaction of the catalog: whoever stands still
 * there keeps all others from writing, who then say so.
 */
export function planStops({ rehearsals }: Stage, count: number, seed: number): StopPoint[] {
  const random = createRandom(seed)
  const planned = Object.entries(rehearsals).map(([operation, { steps }]) =>
    shuffle(withoutTransactions(listStepPoints(operation, steps), steps), random),
  )
  const points: StopPoint[] = []
  while (points.length < count && planned.some(({ length }) => length > 0)) {
    for (const left of planned.slice(0, count - points.length)) points.push(...left.splice(0, 1))
  }
  return points
}

function withoutTransactions(points: readonly StopPoint[], steps: readonly string[]): StopPoint[] {
  const isInside = steps.map((_, step) => {
    const begun = steps.slice(0, step).findLastIndex((name) => name === 'sqlite BEGIN IMMEDIATE')
    return begun >= 0 && !steps.slice(begun, step).some((name) => /^sqlite (?:COMMIT|ROLLBACK)$/.test(name))
  })
  return points.filter(({ at: { step, when } }) => !isInside[when === 'before' ? step : step + 1])
}

/**
 * Stops a process, lets another one do the same work meanwhile, and lets the first go on. Gives what is wrong then, a line
 * each; nothing is well.
 */
export async function tryStop({ template, operations, rehearsals }: Stage, point: StopPoint): Promise<string[]> {
  const [operation, rehearsal] = [operations[point.operation], rehearsals[point.operation]]
  if (!operation || !rehearsal) throw new Error(`there is no operation ${point.operation}`)
  const { after } = rehearsal
  const dirs = cloneWorld(template, mkdtempSync(join(template.root, '..', 'round-')))
  const wrong: string[] = []
  try {
    const task = { root: dirs.root, operation: point.operation }
    const meanwhile = async (): Promise<void> => {
      // It is refused where the process that stands still has done already what is done once alone.
      const ms = await runVictim(task).then(
        (ended) => ended.ms,
        (error: unknown) => {
          if (error instanceof Error && isRefusal(error.message, operation)) return 0
          throw error
        },
      )
      if (ms > LEASE_STUCK_MS + WORK_MS_MAX) wrong.push(`the other process needed ${Math.round(ms)} ms`)
      if (!isSame(await operation.readState(dirs), after)) wrong.push('the other process did not do the work')
    }
    const { failure } = await runVictim({ ...task, stop: point.at }, { meanwhile })
    if (failure !== undefined && !isRefusal(failure, operation))
      wrong.push(`the process that stood still failed with ${failure}`)
    if (!isSame(await operation.readState(dirs), after)) wrong.push('the process that stood still undid the work')
    wrong.push(...(await listUnsound(dirs.data)))
    if (!operation.isOnce) await operation.run(dirs)
    if (!isSame(await operation.readState(dirs), after)) wrong.push('doing it once more changes something')
    wrong.push(...(await listStray(dirs.data)), ...listStrayOfBackup(dirs.backup), ...(await listUnsound(dirs.data)))
  } catch (error) {
    wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    rmSync(dirs.root, { recursive: true, force: true })
  }
  return wrong.map((line) => `${point.name}: ${line}`)
}

/** Of what can be done once alone whoever comes late is told so. */
const isRefusal = (failure: string, { isOnce = false }: Operation): boolean =>
  failure.includes('another one took over its work') || (isOnce && isTold(failure))
