import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApp } from '../../../src/app.ts'
import { parseConfig } from '../../../src/config.ts'
import { ApiError } from '../../../src/errors.ts'
import { BALLAST_BYTES } from '../../../src/limits.ts'
import { verifyLake } from '../../../src/maintenance/lake-verification.ts'
import { isClear, runProgram } from './program.ts'
import { readState, type State } from './state.ts'
import { type Dirs, makeWorld, openData, SITE, toDirs } from './world.ts'

const DISK_BYTES = 28 * 1_024 * 1_024
/** Answers of the import, each with a text that hardly compresses. */
const ANSWERS = 150
const TEXT_BYTES = 6_000

export interface DiskStage {
  /** Bytes that the import takes on a disk with plenty. */
  readonly neededBytes: number
  /**
   * Imports on a disk with as many bytes free, beside a server or alone, then once more with plenty. Gives what is wrong,
   * a line each, and whether the first import was done.
   */
  tryLevel(freeBytes: number, besideServer: boolean): Promise<{ wrong: string[]; isDone: boolean }>
  close(): void
}

/** Undefined where a small disk can't be mounted: no Linux, or no right to. */
export async function setUpDisk(): Promise<DiskStage | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'answerlake-disk-'))
  const template = await makeWorld(join(root, 'template'))
  const file = join(root, 'large.ndjson')
  writeFileSync(file, makeLargeAnswers())
  try {
    mount(join(root, 'probe'))
    execFileSync('umount', [join(root, 'probe')], { stdio: 'pipe' })
  } catch {
    rmSync(root, { recursive: true, force: true })
    return undefined
  }
  const before = await readState(template.data)
  const importLarge = (dirs: Dirs) => runProgram(['import', 'answers', '--site', SITE, file, '--data-dir', dirs.data])

  const rehearsal = toDirs(join(root, 'rehearsal'))
  mount(rehearsal.root)
  cpSync(template.data, rehearsal.data, { recursive: true })
  const free = countFree(rehearsal.root)
  await importLarge(rehearsal)
  const neededBytes = free - countFree(rehearsal.root)
  const after = await readState(rehearsal.data)
  execFileSync('umount', [rehearsal.root])

  let level = 0
  return {
    neededBytes,
    async tryLevel(freeBytes, besideServer) {
      const dirs = toDirs(join(root, `level-${level++}`))
      mount(dirs.root)
      try {
        cpSync(template.data, dirs.data, { recursive: true })
        // A disk that was large when it was laid down; this one is too small to get one by itself.
        writeFileSync(join(dirs.data, 'ballast'), Buffer.alloc(BALLAST_BYTES, 1))
        const fill = (): void =>
          writeFileSync(join(dirs.root, 'filler'), Buffer.alloc(Math.max(0, countFree(dirs.root) - freeBytes), 1))
        return await importOnFullDisk(dirs, { importLarge, fill, besideServer, before, after })
      } finally {
        execFileSync('umount', ['--lazy', dirs.root])
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

interface Trial {
  readonly importLarge: (dirs: Dirs) => ReturnType<typeof runProgram>
  readonly fill: () => void
  readonly besideServer: boolean
  readonly before: State
  readonly after: State
}

async function importOnFullDisk(dirs: Dirs, { importLarge, fill, besideServer, before, after }: Trial) {
  const wrong: string[] = []
  const server = besideServer ? await openServer(dirs.data) : undefined
  const answers = (): Promise<number | undefined> | undefined => server?.countAnswers()
  const counted = await answers()
  fill()
  const ending = await importLarge(dirs)
  const isDone = ending.status === 0
  if (!isClear(ending)) wrong.push(`exit ${ending.status}: ${ending.stderr}`)
  if (server) {
    const now = await server.countAnswers()
    if (isDone ? now === counted : now !== counted)
      wrong.push(`the server answers with ${now} answers, before it were ${counted}`)
    wrong.push(...(await server.tryWrite()))
    await server.close()
  }
  const collected = await runProgram(['lake', 'gc', '--grace', '0', '--data-dir', dirs.data])
  if (collected.status !== 0) wrong.push(`the collection ended with ${collected.status}: ${collected.stderr}`)
  const kept = await countReplaced(dirs)
  if (kept > 0) wrong.push(`the collection left ${kept} replaced files`)
  rmSync(join(dirs.root, 'filler'))
  const found = await readState(dirs.data)
  if (JSON.stringify(withoutWrites(found)) !== JSON.stringify(withoutWrites(isDone ? after : before))) {
    wrong.push(`exit ${ending.status}, and the state is another: ${JSON.stringify({ found, before, after })}`)
  }
  const retry = await importLarge(dirs)
  if (retry.status !== 0) wrong.push(`the retry failed: ${retry.stderr}`)
  await using app = await openData(dirs.data)
  const result = await verifyLake(app.change, {})
  if (!result.ok || result.orphans.length > 0) wrong.push(`the lake is not sound: ${JSON.stringify(result)}`)
  return { wrong, isDone }
}

async function countReplaced({ data }: Dirs): Promise<number> {
  await using app = await openData(data)
  return app.catalog.manifest.totals().retired.files
}

/** Without what the server's own write decides. */
function withoutWrites(state: State): State {
  const { decided: _decided, ...reports } = state
  return reports
}

/** The program as a server has it open, in this process. */
async function openServer(dataDir: string) {
  const app = await openApp(parseConfig({ dataDir, environment: {} }, {}, 'config.json'), { mode: 'server' })
  return {
    async countAnswers(): Promise<number> {
      const range = { site_id: SITE, start_date: '2026-03-01', end_date: '2026-04-30', limit: 1 }
      return (await app.reports.answers(SITE, { ...range, include: ['text'] })).info.total_results
    },
    /** A prompt is switched: that works, or is refused for want of space. */
    async tryWrite(): Promise<string[]> {
      try {
        app.catalog.prompts.setStatus(SITE, ['p1'], 'disabled')
        return []
      } catch (error) {
        if (error instanceof ApiError && error.code === 'storage_full') return []
        return [`a write of the server failed with ${String(error)}`]
      }
    },
    close: () => app[Symbol.asyncDispose](),
  }
}

function mount(dir: string): void {
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', dir], { stdio: 'pipe' })
}

function countFree(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}

function makeLargeAnswers(): string {
  let state = 7
  const next = (): string => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state.toString(36)
  }
  return Array.from({ length: ANSWERS }, (_, index) => {
    let text = `Acme ${index}`
    while (text.length < TEXT_BYTES) text += ` ${next()}`
    const record = {
      id: `large${index}`,
      date: `2026-04-${String(1 + (index % 28)).padStart(2, '0')}`,
      platform: 'claude',
      prompt: 'What of p1?',
      text,
    }
    return `${JSON.stringify(record)}\n`
  }).join('')
}
