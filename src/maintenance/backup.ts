import { renameSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { type Catalog, openCatalog } from '../catalog/catalog.ts'
import type { Lease } from '../catalog/leases.ts'
import { type ChangeContext, findLoss } from '../change/change-lake.ts'
import { toTimestamp } from '../clock.ts'
import type { CallKind } from '../domain/call.ts'
import type { LakeFile, Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { systemRandom, toBase32 } from '../ids.ts'
import {
  makeDirectoryDurably,
  removeEmptyDirectories,
  syncDirectories,
  writeDurably,
} from '../lake/checksums/durable-files.ts'
import { hashFile } from '../lake/checksums/file-hash.ts'
import { isWithin, toRealPath } from '../lake/checksums/real-path.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { copyVerified } from '../lake/checksums/verified-copy.ts'
import { backUpReplies } from './backup-replies.ts'
import { BACKUP_MANIFEST, type BackupManifest, readBackupManifest } from './backup-manifest.ts'

export interface BackupOptions {
  /** Where the backup goes: a new or empty directory, or one with an earlier backup of this data directory. */
  readonly dir: string
  /** Copies this organization alone, for its move to another data directory. */
  readonly organizationId?: string
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: BackupProgress) => void
  readonly onWait?: () => void
}

export interface BackupProgress {
  readonly doneBytes: number
  readonly totalBytes: number
  readonly files: number
}

export interface BackupResult {
  readonly dir: string
  readonly snapshot: Snapshot
  /** Files of the lake in the backup, and those of them that weren't in the earlier one. */
  readonly files: number
  readonly bytes: number
  readonly files_copied: number
  readonly bytes_copied: number
}

/**
 * Copies a data directory while others read and change it: first the catalog, by SQLite itself, then every file that this
 * copy names, each held against its checksum, and the raw replies of its runs; the backup's manifest last. An earlier backup in the directory stays whole
 * until then, and what it has already isn't copied again. Throws CommandError.
 */
export async function backUpLake(context: ChangeContext, options: BackupOptions): Promise<BackupResult> {
  const { catalog, lakeDir } = context
  try {
    const { dir, made } = await openTarget(context, options)
    // One backup into a directory at a time; the lease also keeps the files from being collected.
    const lease = await catalog.leases.acquire(`backup:${dir}`, {
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.onWait ? { onWait: options.onWait } : {}),
    })
    try {
      catalog.manifest.pin(lease.token, catalog.manifest.currentSnapshot())
      return await copyAll(context, { ...options, dir }, lease)
    } catch (error) {
      if (made !== undefined) await removeUnfinished(dir, made, lease).catch(() => undefined)
      throw findLoss([lease]) ?? error
    } finally {
      catalog.manifest.unpin(lease.token)
      lease.release()
    }
  } catch (error) {
    throw toStorageError(
      error,
      `The backup of ${dirname(lakeDir)} to ${options.dir}`,
      'An earlier backup there is as it was.',
    )
  }
}

/** What a failed backup copied into a directory that it made. Not if another one works in it by now. */
async function removeUnfinished(dir: string, made: string, lease: Lease): Promise<void> {
  lease.whileHeld(() => rmSync(dir, { recursive: true }))
  await removeEmptyDirectories(dirname(dir), made)
}

/** The directory's real path, when a backup may go there; with the topmost directory that was made for it. */
async function openTarget(
  { catalog, lakeDir }: ChangeContext,
  { dir: given, organizationId }: BackupOptions,
): Promise<{ dir: string; made: string | undefined }> {
  const [dir, dataDir] = [await toRealPath(given), await toRealPath(dirname(lakeDir))]
  if (isWithin(dir, dataDir) || isWithin(dataDir, dir)) {
    throw new CommandError(
      `${given} and the data directory ${dataDir} lie one within the other. Choose another directory for the backup.`,
    )
  }
  await refuseLakeOfBackup(dir)
  const made = await makeDirectoryDurably(dir)
  const earlier = await readBackupManifest(dir)
  if (!earlier) await refuseStrange(given, dir)
  else if (earlier.data_directory_id !== catalog.dataDirectoryId || earlier.organization_id !== organizationId) {
    throw new CommandError(
      `${given} holds a backup of another data directory or organization. Choose another directory.`,
    )
  }
  return { dir, made }
}

/** The backup above would take the one inside its `lake/` for leftovers. */
async function refuseLakeOfBackup(dir: string): Promise<void> {
  for (let part = dir; dirname(part) !== part; part = dirname(part)) {
    const outer = dirname(part)
    if (basename(part) === 'lake' && (await holdsBackup(outer)))
      throw new CommandError(`${dir} lies in the files of the backup ${outer}. Choose another directory.`)
  }
}

/** What is beside an earlier backup is none of this one's business; a first one doesn't go among the files of others. */
async function refuseStrange(given: string, dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (BACKUP_NAMES.test(name) || name === 'lost+found' || (await holdsBackup(join(dir, name)))) continue
    throw new CommandError(
      `${given} holds ${name}, which is no part of a backup. Choose an empty directory, or one with an earlier backup.`,
    )
  }
}

const holdsBackup = (dir: string): Promise<boolean> => readBackupManifest(dir).then(Boolean, () => true)

/** Also what a backup leaves behind that was killed. */
const BACKUP_NAMES = /^(?:MANIFEST\.json(?:\.[0-9a-z]+\.tmp)?|lake|scans|catalog-[0-9a-z]+\.sqlite.*)$/

async function copyAll(context: ChangeContext, options: BackupOptions, lease: Lease): Promise<BackupResult> {
  const { dir, organizationId, signal } = options
  const earlier = await readBackupManifest(dir)
  const catalogPath = `catalog-${toBase32(systemRandom.bytes(10))}.sqlite`
  const { files, snapshot, runIds } = copyCatalog(context, join(dir, catalogPath), organizationId)
  signal?.throwIfAborted()
  const copied = await copyFiles(context, options, files, earlier)
  const dataDir = dirname(context.lakeDir)
  const replies = await backUpReplies({ dataDir, dir, knows: (runId) => runIds.has(runId), earlier, signal })
  const catalogFile = join(dir, catalogPath)
  const manifest: BackupManifest = {
    format: 'answerlake-backup',
    version: 1,
    created_at: toTimestamp(context.clock.now()),
    data_directory_id: context.catalog.dataDirectoryId,
    ...(organizationId === undefined ? {} : { organization_id: organizationId }),
    snapshot,
    catalog: { path: catalogPath, bytes: (await stat(catalogFile)).size, sha256: await hashFile(catalogFile) },
    files: files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    ...(replies.length > 0 ? { replies } : {}),
  }
  // Everything that it names is durable by now; with it the backup begins to exist, and the earlier one ends. Not if
  // another backup took this one for dead: that has cleared away what was copied here.
  await writeDurably(join(dir, BACKUP_MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`, {
    place: (partial, path) => lease.whileHeld(() => renameSync(partial, path)),
  })
  // The backup is whole, whatever can't be removed now.
  await removeUnnamed(dir, manifest, lease).catch(() => undefined)
  return { dir, snapshot, files: files.length, bytes: sumBytes(files), ...copied }
}

/** A copy of the catalog that knows of no file but the live ones, since no other is copied. */
function copyCatalog(
  { catalog, clock }: ChangeContext,
  path: string,
  organizationId: string | undefined,
): { files: LakeFile[]; snapshot: Snapshot; runIds: ReadonlySet<string> } {
  catalog.backupTo(path)
  using copy = openCatalog(path, { clock, mode: 'command' })
  const problems = copy.integrityCheck()
  if (problems.length > 0) {
    throw new CommandError(
      `The catalog is damaged (${problems[0]}), so it was not backed up. Restore an earlier backup.`,
    )
  }
  if (organizationId !== undefined) copy.moves.keepOnly(organizationId)
  const { manifest } = copy
  const replaced = [...manifest.listRetired(), ...manifest.listDeleting()].map(({ fileId }) => fileId)
  manifest.markDeleting(replaced)
  manifest.forgetFiles(replaced)
  const runs = copy.sites.list().flatMap(({ id }) => RUN_KINDS.flatMap((kind) => copy.scanRuns.list(id, kind)))
  const runIds = new Set(runs.map(({ id }) => id))
  return { files: listLive(copy), snapshot: manifest.currentSnapshot(), runIds }
}

const RUN_KINDS = ['answer', 'judgement'] as const satisfies CallKind[]

function listLive({ sites, manifest }: Catalog): LakeFile[] {
  return sites.list().flatMap(({ id }) => manifest.listFiles(id, manifest.currentSnapshot(id)))
}

async function copyFiles(
  { lakeDir }: ChangeContext,
  { dir, signal, onProgress }: BackupOptions,
  files: readonly LakeFile[],
  earlier: BackupManifest | undefined,
): Promise<Pick<BackupResult, 'files_copied' | 'bytes_copied'>> {
  const known = new Map(earlier?.files.map((file) => [file.path, file.sha256]))
  const totalBytes = sumBytes(files)
  const directories = new Set<string>()
  const copied: LakeFile[] = []
  let doneBytes = 0
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted()
    const target = join(dir, 'lake', file.path)
    const found = known.get(file.path) === file.sha256 ? await stat(target).catch(() => undefined) : undefined
    if (found?.size !== file.bytes) {
      await copyVerified(join(lakeDir, file.path), target, file, signal)
      copied.push(file)
      directories.add(dirname(target))
    }
    doneBytes += file.bytes
    onProgress?.({ doneBytes, totalBytes, files: index + 1 })
  }
  await syncDirectories(directories, dir)
  return { files_copied: copied.length, bytes_copied: sumBytes(copied) }
}

/** What the earlier backup had beside this one, and leftovers of killed ones. What stays is removed the next time. */
async function removeUnnamed(
  dir: string,
  { catalog, files, replies = [] }: BackupManifest,
  lease: Lease,
): Promise<void> {
  const ofLake = files.map(({ path }) => `lake/${path}`)
  const named = new Set([BACKUP_MANIFEST, catalog.path, ...ofLake, ...replies.map(({ path }) => path)])
  const present = await readdir(dir, { recursive: true, withFileTypes: true })
  for (const entry of present) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(dir.length + 1).replaceAll(sep, '/')
    const [top = ''] = name.split('/')
    if (BACKUP_NAMES.test(top) && !named.has(name)) lease.whileHeld(() => rmSync(path, { force: true }))
  }
}

function sumBytes(files: readonly LakeFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes, 0)
}
