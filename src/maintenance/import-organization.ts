import { link, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openCatalog } from '../catalog/catalog.ts'
import type { Lease } from '../catalog/leases.ts'
import type { MovedOrganization } from '../catalog/moves.ts'
import { type ChangeContext, findLoss } from '../change/change-lake.ts'
import { removeOrphans } from '../change/orphans.ts'
import { findRunOf } from '../collect/kept-replies.ts'
import type { LakeFile } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { syncDirectories } from '../lake/checksums/durable-files.ts'
import { copyVerified } from '../lake/checksums/verified-copy.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { STAGING_DIR } from '../lake/write/staging.ts'
import type { BackupProgress } from './backup.ts'
import { type BackupManifest, readBackupManifest } from './backup-manifest.ts'
import { placeReplies } from './backup-replies.ts'
import { refuseUnfit } from './restore.ts'

export interface ImportOrganizationOptions {
  /** What `orgs export` filled. */
  readonly dir: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BackupProgress) => void
  readonly onWait?: () => void
}

export interface ImportOrganizationResult extends MovedOrganization {
  readonly files: number
  readonly bytes: number
}

/**
 * Takes an exported organization into this data directory, beside those that are there, all at once or not at all: its files
 * are held against their checksums and get their place, then one transaction of the catalog makes them known. Throws
 * CommandError.
 */
export async function importOrganization(
  context: ChangeContext,
  options: ImportOrganizationOptions,
): Promise<ImportOrganizationResult> {
  const { catalog, lakeDir } = context
  const { dir, signal, onWait } = options
  try {
    const backup = await readExport(dir)
    const waiting = { ...(signal ? { signal } : {}), ...(onWait ? { onWait } : {}) }
    const lease = await catalog.leases.acquire('import-organization', waiting)
    // Named by the lease's token, so that a collection sees whose files these are.
    const staging = join(lakeDir, STAGING_DIR, lease.token)
    try {
      return await takeIn(context, options, { backup, lease, staging })
    } catch (error) {
      throw findLoss([lease]) ?? error
    } finally {
      await rm(staging, { recursive: true, force: true })
      lease.release()
    }
  } catch (error) {
    throw toStorageError(error, `The import of ${dir}`, 'Nothing was changed.')
  }
}

async function readExport(dir: string): Promise<BackupManifest> {
  const backup = await readBackupManifest(dir)
  if (!backup) {
    throw new CommandError(`${dir} holds no export, or one that was never finished. Give what \`orgs export\` filled.`)
  }
  if (backup.organization_id === undefined) {
    throw new CommandError(
      `${dir} is the backup of a whole data directory. \`answerlake restore\` makes a new directory of it.`,
    )
  }
  return backup
}

interface Work {
  readonly backup: BackupManifest
  readonly lease: Lease
  readonly staging: string
}

async function takeIn(
  context: ChangeContext,
  { dir, signal, onProgress }: ImportOrganizationOptions,
  { backup, lease, staging }: Work,
): Promise<ImportOrganizationResult> {
  const { catalog, clock, lakeDir } = context
  const catalogPath = join(staging, 'catalog.sqlite')
  await mkdir(staging, { recursive: true, mode: 0o700 })
  await copyVerified(join(dir, backup.catalog.path), catalogPath, backup.catalog, signal)
  const files = readFiles(catalogPath, { backup, dir, clock })
  catalog.moves.refuseTaken(catalogPath)
  // What an import of the same that was killed put in place.
  await removeOrphans(context, { siteIds: [...new Set(files.map(({ siteId }) => siteId))] })
  const replies = (backup.replies ?? []).filter(({ name }) => isNew(context, name))
  const totalBytes = backup.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let doneBytes = 0
  for (const [index, file] of files.entries()) {
    await copyVerified(join(dir, 'lake', file.path), stagedPath(staging, file), file, signal)
    doneBytes += file.bytes
    onProgress?.({ doneBytes, totalBytes, files: index + 1 })
  }
  signal?.throwIfAborted()
  const placed: string[] = []
  try {
    await place(lakeDir, staging, files, placed)
    await placeReplies({ dir, signal }, { ...backup, replies }, dirname(lakeDir))
    const moved = catalog.moves.takeIn(catalogPath, (taken) => {
      lease.assertHeld()
      const { organization_id, name, prompts, keys, users } = taken
      const result = { organization_id, name, sites: taken.sites.length, prompts, keys, users }
      catalog.recordedChanges.record({ siteId: null, kind: 'import_organization', snapshot: null, result })
    })
    return { ...moved, files: files.length, bytes: totalBytes }
  } catch (error) {
    const known = catalog.manifest.allKnownPaths()
    for (const path of placed) if (!known.has(path)) await rm(join(lakeDir, path), { force: true })
    for (const { name } of replies) await rm(join(dirname(lakeDir), name), { force: true })
    throw error
  }
}

/** Whether no run of this data directory has that file of raw replies. */
function isNew({ catalog }: ChangeContext, name: string): boolean {
  const runId = findRunOf(name)
  return runId !== undefined && catalog.scanRuns.find(runId) === undefined
}

const stagedPath = (staging: string, { fileId }: LakeFile): string => join(staging, `${fileId}.parquet`)

/** The files that the export's catalog names; that is brought to today's schema. */
function readFiles(
  path: string,
  { backup, dir, clock }: { backup: BackupManifest; dir: string; clock: ChangeContext['clock'] },
): LakeFile[] {
  using copy = openCatalog(path, { clock, mode: 'command' })
  refuseUnfit(copy, backup, dir)
  return copy.sites.list().flatMap(({ id }) => copy.manifest.listFiles(id, copy.manifest.currentSnapshot(id)))
}

/** Gives the staged files their names in the lake, durably; `placed` grows with each. */
async function place(lakeDir: string, staging: string, files: readonly LakeFile[], placed: string[]): Promise<void> {
  const directories = new Set<string>()
  for (const file of files) {
    const target = join(lakeDir, file.path)
    if (!directories.has(dirname(target))) await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    directories.add(dirname(target))
    await link(stagedPath(staging, file), target)
    placed.push(file.path)
  }
  await syncDirectories(directories, dirname(lakeDir))
}
