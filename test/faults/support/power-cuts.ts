import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { verifyLake } from '../../../src/maintenance/verification.ts'
import { makeWorld, openData, SITE, writeAnswers } from './world.ts'

const IMPORTER = fileURLToPath(new URL('./power-cut-importer.ts', import.meta.url))
const IMAGE_BYTES = 64 * 1_024 * 1_024
/** Answers of each file that the importer brings in. */
const ANSWERS_EACH = 6

export interface PowerCutStage {
  /**
   * Imports file after file on a file system of its own, cuts the power some time after the first was acknowledged, and
   * starts anew from what the disk holds then. With `syncs` false nothing is forced to the disk: the harness must see that.
   */
  cut(options: { readonly afterMs: number; readonly syncs: boolean }): Promise<CutResult>
  close(): void
}

export interface CutResult {
  /** Imports that were acknowledged before the cut, and those of them that are not there after it. */
  readonly acknowledged: number
  readonly lost: number
  /** What is wrong besides; nothing is well. */
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
  const files = Array.from({ length: 40 }, (_, index) => {
    const path = join(root, `file-${index}.ndjson`)
    writeAnswers(path, 100 + index, ANSWERS_EACH)
    return path
  })
  let round = 0
  return {
    async cut({ afterMs, syncs }) {
      const name = join(root, `round-${round++}`)
      const [disk, after] = [`${name}.disk`, `${name}.after`]
      copyFileSync(image, disk)
      try {
        const acknowledged = await withMounted(disk, `${name}.mounted`, async (dir) => {
          const count = await importUntilCut(join(dir, 'data'), files, afterMs, syncs)
          // What the file system holds back in memory is not in the file beneath it: this is the disk at the cut.
          copyFileSync(disk, after)
          return count
        })
        const found = await withMounted(after, `${name}.mounted`, (dir) =>
          lookAround(join(dir, 'data'), files, acknowledged),
        )
        return { acknowledged, ...found }
      } finally {
        for (const path of [disk, after]) rmSync(path, { force: true })
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
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

/** The number of imports that were acknowledged when the power went. */
async function importUntilCut(
  dataDir: string,
  files: readonly string[],
  afterMs: number,
  syncs: boolean,
): Promise<number> {
  const child = spawn(process.execPath, [IMPORTER, JSON.stringify({ dataDir, files, syncs })], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  let acknowledged = 0
  for await (const _ of createInterface(child.stdout)) {
    acknowledged += 1
    if (acknowledged === 1) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`the importer ended before the cut: ${errors}`)
  return acknowledged
}

/** Opens what the disk holds, as after a restart. */
async function lookAround(
  dataDir: string,
  files: readonly string[],
  acknowledged: number,
): Promise<Omit<CutResult, 'acknowledged'>> {
  if (!existsSync(join(dataDir, 'catalog.sqlite'))) return { lost: acknowledged, wrong: ['the catalog is gone'] }
  try {
    await using app = await openData(dataDir)
    const page = await app.reports.answers(SITE, {
      site_id: SITE,
      start_date: '2026-03-01',
      end_date: '2026-04-30',
      limit: 500,
      include: [],
    })
    const known = new Set(page.data.map(({ id }) => id))
    const isThere = files.map((_, index) => known.has(`a${(100 + index) * ANSWERS_EACH + 1}`))
    const isWhole = files.map((_, index) =>
      // The first record repeats one of the file before, the sixth has no text.
      [1, 2, 3, 4].every((no) => known.has(`a${(100 + index) * ANSWERS_EACH + no}`) === isThere[index]),
    )
    const { ok, ...rest } = await verifyLake(app.change, {})
    const wrong = [
      ...(ok ? [] : [`the lake is not sound: ${JSON.stringify(rest)}`]),
      ...isWhole.flatMap((whole, index) => (whole ? [] : [`a part of import ${index} is there`])),
    ]
    return { lost: isThere.slice(0, acknowledged).filter((is) => !is).length, wrong }
  } catch (error) {
    return { lost: acknowledged, wrong: [error instanceof Error ? error.message : String(error)] }
  }
}
