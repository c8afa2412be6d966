import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { App } from '../../../src/app.ts'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { makeWorld, MONTHS, openData, SITE, writeAnswers, writeLog } from './world.ts'

const IMPORTER = fileURLToPath(new URL('./power-cut-importer.ts', import.meta.url))
const IMAGE_BYTES = 64 * 1_024 * 1_024
/** Files that the importer may bring in, each with so many answers; every third is a log of a day of its own. */
const FILES = 60
const ANSWERS_EACH = 6
const isLog = (index: number): boolean => index % 3 === 2
const toLogDay = (index: number): number => 1 + (index - 2) / 3

export interface PowerCut {
  readonly afterImports: number
  readonly afterMs: number
  readonly syncs: boolean
}

export interface PowerCutStage {
  /**
   * Imports file after file on a file system of its own, merges and collects in between, cuts the power some time after so
   * many imports were acknowledged, and starts anew from what the disk holds then. With `syncs` false nothing is forced to the disk: the harness must see that.
   */
  cut(options: PowerCut): Promise<CutResult>
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
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(root, `file-${index}.${isLog(index) ? 'log' : 'ndjson'}`)
    if (isLog(index)) writeLog(path, toLogDay(index), MONTHS[1])
    else writeAnswers(path, 100 + index, ANSWERS_EACH)
    return path
  })
  let round = 0
  return {
    async cut(powerCut) {
      const name = join(root, `round-${round++}`)
      const [disk, after] = [`${name}.disk`, `${name}.after`]
      copyFileSync(image, disk)
      try {
        const acknowledged = await withMounted(disk, `${name}.mounted`, async (dir) => {
          const count = await importUntilCut(join(dir, 'data'), files, powerCut)
          // What the file system holds back in memory is not in the file beneath it: this is the disk at the cut.
          copyFileSync(disk, after)
          return count
        })
        const found = await withMounted(after, `${name}.mounted`, (dir) => lookAround(join(dir, 'data'), acknowledged))
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
  { afterImports, afterMs, syncs }: PowerCut,
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
    if (acknowledged === afterImports) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  const [, signal] = await ended
  if (signal !== 'SIGKILL') throw new Error(`the importer ended before the cut: ${errors}`)
  return acknowledged
}

/** Opens what the disk holds, as after a restart. */
async function lookAround(dataDir: string, acknowledged: number): Promise<Omit<CutResult, 'acknowledged'>> {
  if (!existsSync(join(dataDir, 'catalog.sqlite'))) return { lost: acknowledged, wrong: ['the catalog is gone'] }
  try {
    await using app = await openData(dataDir)
    const parts = await readParts(app)
    const { ok, ...rest } = await verifyLake(app.change, {})
    const wrong = [
      ...(ok ? [] : [`the lake is not sound: ${JSON.stringify(rest)}`]),
      ...parts.flatMap((found, index) => (new Set(found).size === 1 ? [] : [`a part of import ${index} is there`])),
    ]
    return { lost: parts.slice(0, acknowledged).filter((found) => found.includes(false)).length, wrong }
  } catch (error) {
    return { lost: acknowledged, wrong: [error instanceof Error ? error.message : String(error)] }
  }
}

/** For each file whether its records are there, one by one. */
async function readParts({ reports }: App): Promise<boolean[][]> {
  const range = { site_id: SITE, start_date: `${MONTHS[0]}-01`, end_date: `${MONTHS[1]}-30`, limit: 500 }
  const answers = await reports.answers(SITE, { ...range, include: [] })
  const logged = { ...range, timezone: 'UTC', group_by: ['date', 'path'] as const }
  const bots = await reports.bots(SITE, { ...logged, metrics: ['hits'] })
  const referrals = await reports.referrals(SITE, { ...logged, metrics: ['visits'] })
  const known = new Set([
    ...answers.data.map(({ id }) => id),
    ...[...bots.data, ...referrals.data].map(({ date, path }) => `${date} ${path}`),
  ])
  return Array.from({ length: FILES }, (_, index) => {
    const day = `${MONTHS[1]}-${String(toLogDay(index)).padStart(2, '0')}`
    const keys = isLog(index)
      ? [0, 1, 2].flatMap((no) => [`${day} /docs/${no}`, `${day} /pricing/${no}`])
      : // The first record repeats one of the file before, the sixth has no text.
        [1, 2, 3, 4].map((no) => `a${(100 + index) * ANSWERS_EACH + no}`)
    return keys.map((key) => known.has(key))
  })
}
