import { renameSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Lease } from '../catalog/leases.ts'
import { type ChangeContext, changeLake } from '../change/change-lake.ts'
import { listReplyFiles, readReplyLines, type ReplyFile, writeWithout } from '../collect/kept-replies.ts'
import { type ForgottenReplies, type ForgottenWhat, REPLIES_DIR } from '../domain/forgotten-replies.ts'
import type { ScanRun } from '../domain/call.ts'
import { DAY_MS } from '../domain/day.ts'
import { syncDirectory } from '../lake/checksums/durable-files.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { readFiles } from '../lake/read/files-relation.ts'
import { sql, texts } from '../lake/sql.ts'
import { readCells } from '../lake/statement.ts'

/**
 * Takes out of the raw replies what was deleted from the lake: files are written anew without those lines, or deleted.
 * Nothing of a living run's open files is touched; what is in them goes the next time. Stopped at any moment, the next one
 * goes on. False where another process does the same, and nothing was done here.
 */
export async function forgetReplies(
  context: ChangeContext,
  { signal }: { signal?: AbortSignal } = {},
): Promise<boolean> {
  const { catalog, lakeDir } = context
  const dataDir = dirname(lakeDir)
  const files = await listReplyFiles(dataDir)
  const pending = catalog.forgottenReplies.list()
  if (files.length === 0 && pending.length === 0) return true
  const lease = catalog.leases.tryAcquire('forget-replies')
  if (!lease) return false
  try {
    const waiting = new Set<number>()
    for (const file of files) {
      signal?.throwIfAborted()
      const run = catalog.scanRuns.find(file.runId)
      const asked = pending.filter((one) => concerns(one, file, run))
      const task = { context, dataDir, file, asked, lease }
      if (asked.some(({ what }) => 'runs' in what) || (file.state === 'left' && !isAtWork(context, file)))
        await removeFile(task)
      else if (asked.length > 0 && file.state !== 'left' && !(await forgetIn(task)))
        for (const { no } of asked) waiting.add(no)
    }
    // A process that still works for a site that is gone may leave one more file behind.
    const isDone = ({ no, atMs, what }: ForgottenReplies): boolean =>
      !waiting.has(no) && !('runs' in what && atMs > context.clock.now() - DAY_MS)
    catalog.forgottenReplies.remove(pending.filter(isDone).map(({ no }) => no))
    return true
  } finally {
    lease.release()
  }
}

/** Deletes what was asked on days before the first one that is kept, but for open files of living runs. */
export async function retireReplies(context: ChangeContext, firstDay: string): Promise<void> {
  const dataDir = dirname(context.lakeDir)
  const files = (await listReplyFiles(dataDir)).filter(({ day }) => day < firstDay)
  for (const file of files) {
    if (isAtWork(context, file)) continue
    await removeFile({ dataDir, file })
  }
}

interface Task {
  readonly context: ChangeContext
  readonly dataDir: string
  readonly file: ReplyFile
  readonly asked: readonly ForgottenReplies[]
  readonly lease: Lease
}

/** Whether a file may hold replies that one deletion means. */
function concerns(
  { siteId, what }: ForgottenReplies,
  { runId, day, lane }: ReplyFile,
  run: ScanRun | undefined,
): boolean {
  if ('runs' in what) return what.runs.includes(runId)
  if (run?.siteId !== siteId) return false
  // Judgements are asked for later than the answers that they are about.
  if ('ids' in what || run.kind === 'judgement' || lane === 'judgements') return true
  return isWithin(day, what)
}

/** False where its run is at work on it: then it stays as it is. */
async function forgetIn({ context, dataDir, file, asked, lease }: Task): Promise<boolean> {
  if (isAtWork(context, file)) return false
  const gone = await listGone(context, dataDir, file, asked)
  if (gone.size === 0) return true
  return writeWithout(dataDir, file, gone, (partial, path) =>
    lease.whileHeld(() => {
      // Nobody takes the run over while this holds the catalog.
      if (isAtWork(context, file)) return false
      renameSync(partial, path)
      return true
    }),
  )
}

/** What a line says of its call. Judgements have the id of the answer that they are about, and quote it. */
interface Line {
  readonly id: string
  readonly asked_at: string
  readonly date?: string
  readonly prompt_id?: string
  readonly platform?: string
  readonly judge?: object
}

/** Numbers of the lines that are to go. */
async function listGone(
  context: ChangeContext,
  dataDir: string,
  file: ReplyFile,
  asked: readonly ForgottenReplies[],
): Promise<ReadonlySet<number>> {
  const gone = new Set<number>()
  const judged = new Map<number, string>()
  const withIds = asked.map((one) => ({ ...one, ids: 'ids' in one.what ? new Set(one.what.ids) : undefined }))
  let number = 0
  for await (const bytes of readReplyLines(dataDir, file)) {
    const line = parseLine(bytes)
    const askedMs = Date.parse(line.asked_at)
    const isMeant = withIds.some(
      ({ atMs, what, ids }) => askedMs <= atMs && (ids ? ids.has(line.id) : !line.judge && isSelected(line, what)),
    )
    if (isMeant) gone.add(number)
    else if (line.judge) judged.set(number, line.id)
    number += 1
  }
  const siteId = asked[0]?.siteId
  if (judged.size === 0 || siteId === undefined) return gone
  // A judgement quotes its answer: it stays as long as that can be read.
  const readable = await readReadable(context, siteId, [...new Set(judged.values())])
  for (const [at, id] of judged) if (!readable.has(id)) gone.add(at)
  return gone
}

/** Of a line that was damaged nothing is known, and it stays. */
function parseLine(bytes: Buffer): Line {
  try {
    return JSON.parse(bytes.toString('utf8')) as Line
  } catch {
    return { id: '', asked_at: '' }
  }
}

/** Those of the ids that are a stored answer's which has its words. */
function readReadable(context: ChangeContext, siteId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const options = { site: { id: siteId }, group: 'answers', kind: 'retention', dryRun: true } as const
  return changeLake(context, options, async ({ staging, files }) => {
    using database = await openChangeDatabase(staging.spillDir)
    const rows = await readCells(
      await database.connect(),
      sql`SELECT id FROM ${readFiles(context.lakeDir, 'answers', files)} WHERE id IN (SELECT unnest(${texts(ids)})) AND text <> ''`,
    )
    return new Set(rows.map(([id]) => String(id)))
  })
}

function isSelected({ date, prompt_id: promptId, platform }: Line, what: ForgottenWhat): boolean {
  if ('ids' in what || 'runs' in what) return false
  return (
    date !== undefined &&
    isWithin(date, what) &&
    (what.prompts === undefined || (promptId !== undefined && what.prompts.includes(promptId))) &&
    (what.platform === undefined || platform === what.platform)
  )
}

function isWithin(
  day: string,
  { from = '', to = '~' }: { readonly from?: string | undefined; readonly to?: string | undefined },
): boolean {
  return day >= from && day <= to
}

/** Whether a living run may write or seal a file. */
function isAtWork({ catalog }: ChangeContext, { runId, state }: ReplyFile): boolean {
  if (state === 'sealed') return false
  const run = catalog.scanRuns.find(runId)
  return run?.status === 'running' && catalog.leases.isAlive(run.token)
}

/** With the directories that are empty then, up to the day's. */
async function removeFile({ dataDir, file: { name, lane } }: Pick<Task, 'dataDir' | 'file'>): Promise<void> {
  const directory = dirname(join(dataDir, name))
  await rm(join(dataDir, name), { force: true })
  await syncDirectory(directory)
  const directories = lane === 'main' ? [directory] : [directory, dirname(directory)]
  for (const empty of directories) {
    const isGone = await rmdir(empty).then(
      () => true,
      () => false,
    )
    if (!isGone) return
  }
  await syncDirectory(join(dataDir, REPLIES_DIR))
}
