import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compactLake } from '../../../src/maintenance/compaction.ts'
import { listStray, listUnsound } from './inspection.ts'
import { type Ending, isClear, runProgram } from './program.ts'
import type { State } from './state.ts'
import { type Dirs, makeWorld, openData, toDirs } from './world.ts'
import { ofData } from './corrections.ts'
import { type Work, WORKS } from './failing-works.ts'

const SOURCE = fileURLToPath(new URL('./failing-calls.c', import.meta.url))

/** Calls that may fail, and the errors they fail with. */
const ERRORS = {
  write: ['ENOSPC', 'EDQUOT', 'EIO'],
  sync: ['EIO'],
  name: ['ENOSPC', 'EIO'],
  open: ['ENOSPC', 'EACCES'],
  remove: ['EIO'],
} as const
type Calls = keyof typeof ERRORS

/** A full disk and a used up quota differ in words alone, so that each write meets one of them. */
function toPoints(calls: Calls, at: number): FailurePoint[] {
  const passedOver = at % 2 === 0 ? 'EDQUOT' : 'ENOSPC'
  return ERRORS[calls]
    .filter((error) => calls !== 'write' || error !== passedOver)
    .map((error) => ({ calls, at, error }))
}

/** One failure: the n-th call of a kind during an import. */
export interface FailurePoint {
  readonly calls: Calls
  readonly at: number
  readonly error: (typeof ERRORS)[Calls][number]
}

/** What is done while calls fail. */
export type FailingWork = keyof typeof WORKS

export interface FailureStage {
  /** Every call of the work with each of its errors. */
  readonly points: readonly FailurePoint[]
  /** Lets one call fail. Gives what is wrong with what is left, a line each. */
  tryFailure(point: FailurePoint): Promise<string[]>
  close(): void
}

/** Undefined where the library that makes calls fail can't be had: no Linux, or no C compiler. */
export async function setUpFailures(work: FailingWork): Promise<FailureStage | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-failures-'))
  const library = join(root, 'failing-calls.so')
  try {
    if (process.platform !== 'linux') throw new Error('LD_PRELOAD is Linux’s')
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, SOURCE, '-ldl'], { stdio: 'pipe' })
  } catch {
    rmSync(root, { recursive: true })
    return undefined
  }
  const { toCommand, environment = {}, readState = ofData, isOnce = false }: Work = WORKS[work]
  const template = await makeWorld(join(root, 'template'))
  if (work !== 'compact') await mergeAll(template)
  const before = await readState(template)
  const clone = (name: string): Dirs => {
    cpSync(template.root, join(root, name), { recursive: true })
    return toDirs(join(root, name))
  }
  const run = (dirs: Dirs, { calls, at, error }: FailurePoint): Promise<Ending> =>
    runProgram([...toCommand(dirs), '--data-dir', dirs.data], {
      environment: {
        ...environment,
        LD_PRELOAD: library,
        FAIL_DIR: dirs.data,
        FAIL_CALLS: calls,
        FAIL_AT: String(at),
        FAIL_ERRNO: String(constants.errno[error]),
        FAIL_COUNT: join(dirs.root, 'count'),
        FAIL_PATH: join(dirs.root, 'path'),
      },
    })

  const rehearsal = clone('rehearsal')
  const { status: undisturbed, stderr: said } = await run(rehearsal, { calls: 'write', at: 0, error: 'EIO' })
  if (undisturbed !== 0) throw new Error(`what nothing disturbs failed: ${said}`)
  const after = await readState(rehearsal)
  const points = readFileSync(join(rehearsal.root, 'count'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [Calls, string])
    .flatMap(([calls, count]) => Array.from({ length: Number(count) }, (_, index) => toPoints(calls, index + 1)).flat())
  rmSync(rehearsal.root, { recursive: true })
  const isSame = (a: State, b: State): boolean => JSON.stringify(a) === JSON.stringify(b)

  async function tryFailure(point: FailurePoint): Promise<string[]> {
    const name = `${point.error} at ${point.calls} ${point.at}`
    const dirs = clone(name.replaceAll(' ', '-'))
    const wrong: string[] = []
    try {
      const ending = await run(dirs, point)
      if (!isClear(ending)) wrong.push(`${name}: exit ${ending.status}, ${ending.stderr}`)
      const path = readFileSync(join(dirs.root, 'path'), 'utf8')
      // Once an import is done, its upkeep may still fail, and says so.
      const isOfWork = path.startsWith(join(dirs.data, 'lake')) && point.calls !== 'remove' && !isNothing(point, path)
      if (isOfWork && ending.status === 0 && !ending.stderr.includes('note: '))
        wrong.push(`${name}: of ${path}, and nobody was told`)
      const found = await readState(dirs)
      const wanted = ending.status === 0 ? after : before
      if (!isSame(found, wanted))
        wrong.push(
          `${name}: exit ${ending.status}, and the state is another: ${JSON.stringify({ found, before, after })}`,
        )
      wrong.push(...(await listUnsound(dirs.data)).map((line) => `${name}: ${line}`))
      if (!isOnce || isSame(found, before)) {
        const { status, stderr } = await run(dirs, { ...point, at: 0 })
        if (status !== 0) wrong.push(`${name}: the retry failed: ${stderr}`)
      }
      if (!isSame(await readState(dirs), after)) wrong.push(`${name}: the retry does not complete it`)
      wrong.push(...(await listStray(dirs.data)).map((line) => `${name}: ${line}`))
    } catch (error) {
      wrong.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
    } finally {
      rmSync(dirs.root, { recursive: true, force: true })
    }
    return wrong
  }
  return { points, tryFailure, close: () => rmSync(root, { recursive: true, force: true }) }
}

/** A directory that is there may be made once more in vain. */
function isNothing({ calls }: FailurePoint, path: string): boolean {
  return calls === 'name' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Otherwise the upkeep after the import would merge, with ten times the import's calls. */
async function mergeAll({ data }: Dirs): Promise<void> {
  await using app = await openData(data)
  await compactLake(app.change, { isThorough: true })
}
