import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOrphans } from '../../../src/change/orphans.ts'
import { collectGarbage } from '../../../src/maintenance/collection.ts'
import { verifyLake } from '../../../src/maintenance/verification.ts'
import { OPERATION_NAMES, type Operation, type OperationName, OPERATIONS } from './operations.ts'
import { createRandom, shuffle } from './random.ts'
import type { State } from './state.ts'
import type { DeathPoint } from './steps.ts'
import { runVictim } from './victims.ts'
import { type Dirs, makeWorld, openData, SITE, toDirs } from './world.ts'

/** One killing: at a step of an operation, or some time after its begin. */
export interface KillPoint {
  readonly operation: OperationName
  readonly at: DeathPoint | { readonly ms: number }
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
  readonly rehearsals: Readonly<Record<OperationName, Rehearsal>>
  close(): void
}

/** Makes the world that every round begins with, and does each operation once. */
export async function setUpStage(): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-kills-'))
  const template = await makeWorld(join(root, 'template'))
  const rehearse = async (name: OperationName): Promise<readonly [OperationName, Rehearsal]> => {
    const dirs = cloneWorld(template, join(root, `rehearsal-${name}`))
    const operation: Operation = OPERATIONS[name]
    const before = await operation.readState(dirs)
    const { steps, ms } = await runVictim({ root: dirs.root, operation: name, tells: true })
    const after = await operation.readState(dirs)
    rmSync(dirs.root, { recursive: true })
    return [name, { before, after, steps, ms }]
  }
  const entries: (readonly [OperationName, Rehearsal])[] = []
  for (const name of OPERATION_NAMES) entries.push(await rehearse(name))
  return {
    template,
    rehearsals: Object.fromEntries(entries) as Record<OperationName, Rehearsal>,
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Nobody has a copied world open, so its catalog may be copied by its file. */
function cloneWorld(template: Dirs, root: string): Dirs {
  cpSync(template.root, root, { recursive: true })
  return toDirs(root)
}

/** As many points as wanted, spread over all operations: three quarters at steps, each of them once, the rest at times. */
export function planKills({ rehearsals }: Stage, count: number, seed: number): KillPoint[] {
  const random = createRandom(seed)
  const atSteps = OPERATION_NAMES.map((operation) =>
    shuffle(
      rehearsals[operation].steps.flatMap((step, index) =>
        (['before', 'after'] as const).map((when): KillPoint => ({
          operation,
          at: { step: index, when },
          name: `${operation}: ${when} ${index} ${step}`,
        })),
      ),
      random,
    ),
  )
  const points: KillPoint[] = []
  for (let turn = 0; points.length < count; turn++) {
    const operation = OPERATION_NAMES[turn % OPERATION_NAMES.length]
    const next = turn % 4 === 3 ? undefined : atSteps[turn % OPERATION_NAMES.length]?.pop()
    if (next) points.push(next)
    else if (operation) {
      const ms = Math.round(random() * rehearsals[operation].ms)
      points.push({ operation, at: { ms }, name: `${operation}: after ${ms} ms` })
    }
  }
  return points
}

/** Kills once and looks at what is left. Gives what is wrong with it, a line each; nothing is well. */
export async function tryKill(
  { template, rehearsals }: Stage,
  point: KillPoint,
  retriesFirst: boolean,
): Promise<string[]> {
  const operation: Operation = OPERATIONS[point.operation]
  const { before, after } = rehearsals[point.operation]
  const dirs = cloneWorld(template, mkdtempSync(join(template.root, '..', 'round-')))
  const wrong: string[] = []
  const expect = (isWell: boolean, what: string): void => void (isWell || wrong.push(`${point.name}: ${what}`))
  try {
    const task = { root: dirs.root, operation: point.operation }
    const death = await ('ms' in point.at ? runVictim(task, point.at.ms) : runVictim({ ...task, death: point.at }))
    const found = await operation.readState(dirs)
    expect(
      isBetween(found, before, after, operation.isAtomic),
      `the state is neither the one before nor the one after: ${JSON.stringify({ found, before, after })}`,
    )
    if (death.wasDone) expect(isSame(found, after), 'it was done, and is not there')
    await checkLake(dirs, expect)
    if (!retriesFirst) await checkCollected(dirs, expect)
    if (!(operation.isOnce && isSame(found, after))) await operation.run(dirs)
    expect(isSame(await operation.readState(dirs), after), 'doing it again does not complete it')
    await checkCollected(dirs, expect)
    await checkLake(dirs, expect)
  } catch (error) {
    wrong.push(`${point.name}: ${error instanceof Error ? error.stack : String(error)}`)
  } finally {
    rmSync(dirs.root, { recursive: true, force: true })
  }
  return wrong
}

function isBetween(found: State, before: State, after: State, isAtomic: boolean): boolean {
  if (isAtomic) return isSame(found, before) || isSame(found, after)
  return Object.entries(found).every(([part, value]) => value === before[part] || value === after[part])
}

function isSame(a: State, b: State): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

async function checkLake({ data }: Dirs, expect: (isWell: boolean, what: string) => void): Promise<void> {
  await using app = await openData(data)
  const result = await verifyLake(app.change, {})
  expect(result.ok, `the lake is not sound: ${JSON.stringify(result)}`)
}

async function checkCollected({ data }: Dirs, expect: (isWell: boolean, what: string) => void): Promise<void> {
  await using app = await openData(data)
  await collectGarbage(app.change, { graceMs: 3_600_000 })
  const { files, stagings } = await findOrphans(app.change, { siteIds: [SITE] })
  const spills = list(join(data, 'tmp')).filter((token) => !app.catalog.leases.isAlive(token))
  const locks = list(join(data, 'locks')).filter((name) => !app.catalog.leases.isAlive(name.replace('.lock', '')))
  const left = [...files, ...stagings, ...spills, ...locks]
  expect(left.length === 0, `the collection left ${left.join(', ')}`)
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
