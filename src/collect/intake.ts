import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { Errand } from './paid-call.ts'
import { writePatiently } from './patience.ts'
import { type Lane, seal, type Spool } from './spool.ts'

/** Takes what a run has kept into the lake, a file at a time, while the run goes on. */
export interface Intake extends Disposable {
  /** Notes a kept reply; after so many, or so long, they are taken in. */
  note(): void
  /** Takes in and seals all that is left. Rejects when that fails: the files stay as they are, for the next run. */
  finish(): Promise<void>
}

export interface IntakeOptions {
  readonly catalog: Catalog
  readonly dataDir: string
  readonly runId: string
  readonly spool: Spool
  readonly errand: Errand
  readonly limits: IntakeLimits
}

export interface IntakeLimits {
  readonly answers: number
  readonly ms: number
}

export function openIntake({ limits, spool, errand, ...world }: IntakeOptions): Intake {
  /** Files that are whole and not yet taken in. */
  const waiting: string[] = []
  let noted = 0
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    const name = await spool.turn(errand.lane)
    if (name !== undefined) waiting.push(name)
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      await takeIn({ ...world, errand }, next)
      waiting.shift()
    }
  }
  const start = (): void => {
    noted = 0
    // What fails now, since another process holds the lake or the disk is full, is tried again with the next ones.
    working = working.then(work).catch(() => {})
  }
  const timer = setInterval(() => {
    if (noted > 0) start()
  }, limits.ms)
  timer.unref()

  return {
    note() {
      noted += 1
      if (noted >= limits.answers) start()
    },
    async finish() {
      clearInterval(timer)
      await working
      await work()
      for (const lane of OTHER_LANES) {
        const name = await spool.turn(lane)
        if (name !== undefined) await seal(world.dataDir, name)
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

const OTHER_LANES: readonly Lane[] = ['shadow', 'failed']

/** Takes a whole file of a run into the lake, says so in the queue, and seals it. */
export async function takeIn(
  {
    catalog,
    dataDir,
    runId,
    errand,
  }: { readonly catalog: Catalog; readonly dataDir: string; readonly runId: string; readonly errand: Errand },
  name: string,
): Promise<void> {
  await errand.takeIn(join(dataDir, name))
  await writePatiently(catalog, () => catalog.calls.markImported(runId, name))
  await seal(dataDir, name)
}
