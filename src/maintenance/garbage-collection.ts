import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RetiredFile } from '../catalog/manifest-rows.ts'
import type { ChangeContext } from '../change/change-lake.ts'
import { listNames, removeOrphans } from '../change/orphans.ts'
import { toTimestamp } from '../clock.ts'
import { DATASETS } from '../domain/manifest.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { freeBallast, layBallast } from './ballast.ts'
import { deleteReplacedFiles, unlinkReplacedFiles } from './file-deletion.ts'
import { forgetReplies } from './forget-replies.ts'
import { RESTORE_PREFIX } from './restore.ts'

export interface CollectionOptions {
  /** Files replaced longer ago than this are deleted, and cursors on older snapshots end; 0 takes all of them. */
  readonly graceMs: number
  readonly signal?: AbortSignal
}

export interface CollectionResult {
  /** Replaced files that were deleted. */
  readonly deleted: { readonly files: number; readonly bytes: number }
  /** What killed processes left behind, relative to the data directory. */
  readonly orphans: readonly string[]
  /** Replaced files that are kept for older snapshots. */
  readonly kept: { readonly files: number; readonly bytes: number }
  readonly warnings: readonly string[]
}

/**
 * Deletes what nobody needs any more: replaced files older than the grace, unless a process has pinned a snapshot that
 * needs them or a publication names them, raw replies about what was deleted, and what killed processes left behind.
 * Stopped at any moment, the next one goes on. Throws CommandError when
 * the files can't be deleted.
 */
export async function collectGarbage(context: ChangeContext, options: CollectionOptions): Promise<CollectionResult> {
  const dataDir = dirname(context.lakeDir)
  const { catalog } = context
  try {
    // Orphans first: that takes no space, and on a full disk it makes some.
    const orphans = await collectOrphans(context, dataDir)
    const warnings: string[] = []
    const deleted = sumUp(await deleteRetired(context, options, warnings))
    await forgetReplies(context, options)
    if (options.graceMs === 0) catalog.manifest.endFuture()
    catalog.leases.sweep()
    await layBallast(dataDir)
    return { deleted, orphans, kept: catalog.manifest.totals().retired, warnings }
  } catch (error) {
    throw toStorageError(error, `The data directory (${dataDir})`, 'What was not deleted yet is deleted the next time.')
  }
}

async function collectOrphans(context: ChangeContext, dataDir: string): Promise<string[]> {
  const { catalog } = context
  const { files, stagings } = await removeOrphans(context, { siteIds: await listSites(context.lakeDir) })
  const spills = (await listNames(join(dataDir, 'tmp'))).filter((token) => !catalog.leases.isAlive(token))
  // A restoration puts the catalog in its place last of all; where there is one, what it gathered is of no use any more.
  const restored = (await listNames(dataDir)).filter((name) => name.startsWith(RESTORE_PREFIX))
  const others = [...spills.map((token) => `tmp/${token}`), ...restored]
  for (const path of others) await rm(join(dataDir, path), { recursive: true, force: true })
  return [...[...files, ...stagings].map((path) => `lake/${path}`), ...others]
}

/** Every site with a directory, also one that the catalog doesn't know: deleted, or never taken in to the end. */
async function listSites(lakeDir: string): Promise<string[]> {
  const names = await Promise.all(DATASETS.map((dataset) => listNames(join(lakeDir, dataset))))
  return [...new Set(names.flat())]
}

async function deleteRetired(
  { catalog, clock, lakeDir }: ChangeContext,
  { graceMs, signal }: CollectionOptions,
  warnings: string[],
): Promise<RetiredFile[]> {
  const { manifest } = catalog
  const due = [...manifest.listDeleting(), ...listDue(manifest, clock.now(), graceMs, warnings)]
  if (due.length === 0) return []
  // Not sooner: given back where nothing can be deleted, it would soon be used up, and missing when something can.
  await freeBallast(dirname(lakeDir))
  // Looked at after the list: a process that pins from now on finds only files that are live, none of the list.
  const pinned = manifest.oldestPinned((token) => catalog.leases.isAlive(token)) ?? Number.POSITIVE_INFINITY
  const isHeld = catalog.publications.toHeld({ sparesDeleted: graceMs === 0 })
  const free = due.filter((file) => file.removedIn <= pinned && !isHeld(file))
  if (free.length > 0 && !catalog.checkpoint()) {
    // Until the catalog's own file says that they are replaced, a power cut with a lost log would want them back.
    warnings.push('The catalog is being read without a pause; replaced files are deleted the next time.')
    return []
  }
  if (catalog.isAlone) await unlinkReplacedFiles(lakeDir, free)
  await deleteReplacedFiles({ catalog, lakeDir }, free, signal)
  return free
}

function listDue(
  manifest: ChangeContext['catalog']['manifest'],
  nowMs: number,
  graceMs: number,
  warnings: string[],
): RetiredFile[] {
  if (graceMs === 0) return manifest.listRetired()
  const newest = manifest.newestCommitAt() ?? ''
  if (newest > toTimestamp(nowMs)) {
    warnings.push(
      `The clock was set back: it says ${toTimestamp(nowMs)}, the newest change of the lake was at ${newest}. Replaced files are kept until it is past that. Set the clock if it is wrong; \`answerlake lake gc --grace 0\` ends this if it is right.`,
    )
    return []
  }
  return manifest.listRetired(nowMs - graceMs)
}

function sumUp(files: readonly RetiredFile[]): CollectionResult['deleted'] {
  return { files: files.length, bytes: files.reduce((sum, file) => sum + file.bytes, 0) }
}
