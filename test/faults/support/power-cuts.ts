import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { openInputs } from './power-cut-inputs.ts'
import { makeUnits, type Unit } from './power-cut-units.ts'
import { createRandom, shuffle } from './random.ts'
import { makeWorld, openData } from './world.ts'

const VICTIM = fileURLToPath(new URL('./power-cut-victim.ts', import.meta.url))
const IMAGE_BYTES = 64 * 1_024 * 1_024

export interface PowerCut {
  /** Decides on the order of the acts. */
  readonly seed: number
  readonly afterActs: number
  readonly afterMs: number
  readonly syncs: boolean
}

export interface PowerCutStage {
  /**
   * Imports, corrects, takes back, deletes, merges and collects on a file system of its own, cuts the power some time after
   * so many acts were acknowledged, and starts anew from what the disk holds then. With `syncs` false nothing is forced to
   * the disk: the harness must see that.
   */
  cut(options: PowerCut): Promise<CutResult>
  close(): void
}

export interface CutResult {
  /** Acts that were acknowledged before the cut, and the kind of the one that was cut off. */
  readonly acknowledged: number
  readonly cutOff: string
  /** What is wrong with what is left, a line each; nothing is well. */
  readonly wrong: readonly string[]
}

/** Undefined where file systems can't be mounted from a file: no Linux, or no right to. */
export async function setUpPowerCuts(): Promise<PowerCutStage | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-power-'))
  const template = await makeWorld(join(root, 'template'))
  const image = join(root, 'image')
  try {
    writeFileSync(image, '')
    truncateSync(image, IMAGE_BYTES)
    run('mkfs.ext4', '-q', '-F', image)
    await withMounted(image, join(root, 'mounted'), async (dir) => {
      cpSync(template.data, join(dir, 'data'), { recursive: true })
    })
  } catch {
    rmSync(root, { recursive: true, force: true })
    return undefined
  }
  const units = makeUnits(openInputs(template.inputs))
  let round = 0
  return {
    async cut(powerCut) {
      const name = join(root, `round-${round++}`)
      const [disk, after] = [`${name}.disk`, `${name}.after`]
      const order = planOrder(units, powerCut.seed)
      copyFileSync(image, disk)
      try {
        const acknowledged = await withMounted(disk, `${name}.mounted`, async (dir) => {
          const task = { dataDir: join(dir, 'data'), inputsDir: template.inputs, order, syncs: powerCut.syncs }
          const count = await workUntilCut(task, powerCut)
          // What the file system holds back in memory is not in the file beneath it: this is the disk at the cut.
          copyFileSync(disk, after)
          return count
        })
        const wrong = await withMounted(after, `${name}.mounted`, (dir) =>
          lookAround(join(dir, 'data'), units, order.slice(0, acknowledged), order[acknowledged]),
        )
        return { acknowledged, cutOff: units[order[acknowledged] ?? -1]?.kind ?? 'nothing', wrong }
      } finally {
        for (const path of [disk, after]) rmSync(path, { force: true })
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Numbers of units, each as often as it has acts. */
function planOrder(units: readonly Unit[], seed: number): number[] {
  return shuffle(
    units.flatMap(({ acts }, unit) => acts.map(() => unit)),
    createRandom(seed),
  )
}

async function withMounted<T>(image: string, dir: string, work: (dir: string) => Promise<T>): Promise<T> {
  mkdirSync(dir, { recursive: true })
  // The journal must not be written out by the clock alone while a round lasts.
  run('mount', '-o', 'loop,commit=600', image, dir)
  try {
    return await work(dir)
  } finally {
    run('umount', dir)
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'pipe' })
}

/** The number of acts that were acknowledged when the power went. */
async function workUntilCut(task: object, { afterActs, afterMs }: PowerCut): Promise<number> {
  const child = spawn(process.execPath, [VICTIM, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  let acknowledged = 0
  for await (const _ of createInterface(child.stdout)) {
    acknowledged += 1
    if (acknowledged === afterActs) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`the work ended before the cut: ${errors}`)
  return acknowledged
}

/** Opens what the disk holds, as after a restart: every act that was acknowledged, and the next one as a whole or not at all. */
async function lookAround(
  dataDir: string,
  units: readonly Unit[],
  done: readonly number[],
  next: number | undefined,
): Promise<string[]> {
  if (!existsSync(join(dataDir, 'catalog.sqlite'))) return ['the catalog is gone']
  const wrong: string[] = []
  try {
    await using app = await openData(dataDir)
    const { ok, ...rest } = await verifyLake(app.change, {})
    if (!ok) wrong.push(`the lake is not sound: ${JSON.stringify(rest)}`)
    for (const [index, { kind, readings, read }] of units.entries()) {
      const count = done.filter((unit) => unit === index).length
      const allowed = readings.slice(count, count + (next === index ? 2 : 1))
      const found = await read(app)
      if (!allowed.includes(found))
        wrong.push(`${kind}, after ${count} acts: found "${found}" in place of "${allowed.join('" or "')}"`)
    }
  } catch (error) {
    wrong.push(error instanceof Error ? error.message : String(error))
  }
  return wrong
}
