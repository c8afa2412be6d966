import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import { type ApiKey, keyStatus } from '../domain/api-key.ts'
import type { KeyPermission } from '../domain/enums.ts'
import { REPLIES_DIR } from '../domain/forgotten-replies.ts'
import type { Snapshot } from '../domain/manifest.ts'
import { userStatus } from '../domain/user.ts'
import { CommandError } from '../errors.ts'
import { systemRandom, toBase32 } from '../ids.ts'
import { makeDirectoryDurably, removeEmptyDirectories, syncDirectory } from '../lake/checksums/durable-files.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { copyVerified } from '../lake/checksums/verified-copy.ts'
import { type BackupManifest, readBackupManifest } from './backup-manifest.ts'
import { placeReplies } from './backup-replies.ts'

export interface RestoreOptions {
  /** Directory with a backup. */
  readonly dir: string
  /** The data directory to make; it may exist when it is empty, but for a `config.json`. */
  readonly dataDir: string
  readonly clock: Clock
  /** Revokes every key of the restored directory before it gets its place. */
  readonly revokesKeys?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {
    readonly doneBytes: number
    readonly totalBytes: number
    readonly files: number
  }) => void
}

export interface RestoreResult {
  readonly data_dir: string
  readonly snapshot: Snapshot
  readonly files: number
  readonly bytes: number
  /** When the backup was made. */
  readonly created_at: string
  /** Keys that are valid in the restored directory, also when they were revoked after the backup was made. */
  readonly valid_keys: readonly RestoredKey[]
  readonly keys_revoked: number
  /** Mail addresses of users who can sign in with their password, also when they were revoked after the backup was made. */
  readonly valid_users: readonly string[]
}

export interface RestoredKey {
  readonly id: string
  readonly name: string
  readonly permission: KeyPermission
  readonly expires_at: string
}

/**
 * Makes a data directory from a backup. Every file is held against its checksum and the catalog is checked before the
 * first of them gets its place. Throws CommandError; the directory is empty then as before, or not there.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dir, dataDir } = options
  try {
    const backup = await readBackupManifest(dir)
    if (!backup)
      throw new CommandError(
        `${dir} holds no backup, or one that was never finished. Give a directory that \`answerlake backup\` filled.`,
      )
    const made = await makeDirectoryDurably(dataDir)
    try {
      const keys = await fillDirectory(options, backup)
      const bytes = backup.files.reduce((sum, file) => sum + file.bytes, 0)
      const { snapshot, created_at } = backup
      return { data_dir: dataDir, snapshot, files: backup.files.length, bytes, created_at, ...keys }
    } catch (error) {
      if (made !== undefined) await removeEmptyDirectories(dataDir, made)
      throw error
    }
  } catch (error) {
    throw toStorageError(error, `Restoring ${dir} to ${dataDir}`, 'The data directory is as it was.')
  }
}

async function fillDirectory(
  options: RestoreOptions,
  backup: BackupManifest,
): Promise<Pick<RestoreResult, 'valid_keys' | 'keys_revoked' | 'valid_users'>> {
  const { dataDir } = options
  await clearTarget(dataDir)
  const staging = join(dataDir, `${RESTORE_PREFIX}${toBase32(systemRandom.bytes(5))}`)
  try {
    await copyBackup(options, backup, staging)
    await placeReplies(options, backup, staging)
    const keys = checkCatalog(options, backup, staging)
    await putInPlace(dataDir, staging)
    return keys
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Begins the names of directories in which restorations gather what they copy. */
export const RESTORE_PREFIX = '.restore-'
/** What a new volume has in its root, and what an operator prepares. */
const HARMLESS: ReadonlySet<string> = new Set(['config.json', 'lost+found'])

/** What gets its place before the catalog. */
const PLACED: readonly string[] = ['lake', REPLIES_DIR]

/** Refuses the directory unless it is empty; what a killed restoration left is removed. */
async function clearTarget(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => !HARMLESS.has(name))
  const left = names.filter((name) => name.startsWith(RESTORE_PREFIX))
  // Without a catalog, beside a restoration's leftovers, what gets its place just before is one of them.
  const isKilled = left.length > 0 && !names.includes('catalog.sqlite')
  const strange = names.find((name) => !left.includes(name) && !(isKilled && PLACED.includes(name)))
  if (strange !== undefined) {
    throw new CommandError(
      `${dataDir} is not empty: it holds ${strange}. Give a new directory with --data-dir, and move it into place when you have looked at it.`,
    )
  }
  for (const name of isKilled ? [...PLACED, ...left] : left)
    await rm(join(dataDir, name), { recursive: true, force: true })
}

async function copyBackup(
  { dir, signal, onProgress }: RestoreOptions,
  backup: BackupManifest,
  staging: string,
): Promise<void> {
  await copyVerified(join(dir, backup.catalog.path), join(staging, 'catalog.sqlite'), backup.catalog, signal)
  const totalBytes = backup.files.reduce((sum, file) => sum + file.bytes, 0)
  let doneBytes = 0
  await mkdir(join(staging, 'lake'), { recursive: true, mode: 0o700 })
  for (const [index, file] of backup.files.entries()) {
    signal?.throwIfAborted()
    await copyVerified(join(dir, 'lake', file.path), join(staging, 'lake', file.path), file, signal)
    doneBytes += file.bytes
    onProgress?.({ doneBytes, totalBytes, files: index + 1 })
  }
}

/** Also brings a catalog of an older program to today's schema; one of a newer program is refused. */
function checkCatalog(
  { dir, clock, revokesKeys = false }: RestoreOptions,
  backup: BackupManifest,
  staging: string,
): Pick<RestoreResult, 'valid_keys' | 'keys_revoked' | 'valid_users'> {
  using catalog = openCatalog(join(staging, 'catalog.sqlite'), { clock, mode: 'command' })
  refuseUnfit(catalog, backup, dir)
  const valid = catalog.keys.list().filter((key) => keyStatus(key, clock.now()) === 'active')
  if (revokesKeys) catalog.transaction(() => valid.forEach(({ id }) => catalog.keys.revoke(id)))
  catalog.sessions.endAll()
  const users = catalog.users.list().filter((user) => userStatus(user) === 'active')
  return {
    valid_keys: revokesKeys ? [] : valid.map(toRestoredKey),
    keys_revoked: revokesKeys ? valid.length : 0,
    valid_users: users.map(({ mail }) => mail),
  }
}

/** Refuses a backup whose catalog is damaged or names files that the backup lacks. */
export function refuseUnfit(catalog: Catalog, backup: BackupManifest, dir: string): void {
  const [problem] = catalog.integrityCheck()
  if (problem !== undefined) throw new CommandError(`The catalog in ${dir} is damaged: ${problem}. Use another backup.`)
  const copied = new Set(backup.files.map(({ path, sha256 }) => `${path} ${sha256}`))
  for (const { id } of catalog.sites.list()) {
    for (const { path, sha256 } of catalog.manifest.listFiles(id, catalog.manifest.currentSnapshot(id))) {
      if (!copied.has(`${path} ${sha256}`))
        throw new CommandError(`The backup in ${dir} lacks ${path}. Use another backup.`)
    }
  }
}

function toRestoredKey({ id, name, permission, expiresAt }: ApiKey): RestoredKey {
  return { id, name, permission, expires_at: expiresAt }
}

/** The catalog comes last: without it there is no data directory. */
async function putInPlace(dataDir: string, staging: string): Promise<void> {
  const placed = PLACED.filter((name) => existsSync(join(staging, name)))
  for (const name of placed) await syncTree(join(staging, name))
  try {
    for (const name of placed) await rename(join(staging, name), join(dataDir, name))
    await syncDirectory(dataDir)
    for (const name of (await readdir(staging)).sort((a, b) => b.length - a.length)) {
      await rename(join(staging, name), join(dataDir, name))
    }
  } catch (error) {
    for (const name of placed) await rm(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
  await syncDirectory(dataDir)
}

async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncTree(join(directory, entry.name))
  }
  await syncDirectory(directory)
}
