import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'
import { toBase32 } from '../ids.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { logCheckpoints } from './migrations/0002-log-checkpoints.ts'
import { exactSpellings } from './migrations/0003-exact-spellings.ts'
import { logFiles } from './migrations/0004-log-files.ts'
import { recordedChanges } from './migrations/0005-recorded-changes.ts'
import { foundDays } from './migrations/0006-found-days.ts'
import { deletedSites } from './migrations/0007-deleted-sites.ts'
import { calls } from './migrations/0008-calls.ts'
import { stoppedOrganizations } from './migrations/0009-stopped-organizations.ts'
import { publications } from './migrations/0010-publications.ts'
import { forgottenReplies } from './migrations/0011-forgotten-replies.ts'
import { people } from './migrations/0012-people.ts'
import { decisions } from './migrations/0013-decisions.ts'
import type { Store } from './store.ts'

/** The steps from an empty catalog to today's, in order; step n makes schema version n; there is no way back. */
export const MIGRATIONS: readonly string[] = [
  foundation,
  logCheckpoints,
  exactSpellings,
  logFiles,
  recordedChanges,
  foundDays,
  deletedSites,
  calls,
  stoppedOrganizations,
  publications,
  forgottenReplies,
  people,
  decisions,
]

/** Version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings the catalog to the newest schema in one transaction, each step once whoever else upgrades at the same time.
 * An existing catalog is copied to `catalog.sqlite.bak-vN` (N its version) first. A newer schema is refused.
 */
export function migrate(store: Store, migrations: readonly string[] = MIGRATIONS): void {
  const { db } = store
  refuseNewer(store, migrations.length)
  const found = store.read(() => schemaVersion(store))
  if (found === migrations.length) return
  if (found > 0) backUp(store, `${db.name}.bak-v${found}`)
  store.write(() => {
    for (const sql of migrations.slice(schemaVersion(store))) db.exec(sql)
    db.pragma(`user_version = ${Math.max(migrations.length, schemaVersion(store))}`)
  })
  refuseNewer(store, migrations.length)
}

/** The schema version a catalog has; 0 is an empty file. */
export function schemaVersion(store: Store): number {
  return Number(store.db.pragma('user_version', { simple: true }))
}

function refuseNewer(store: Store, known: number): void {
  const found = store.read(() => schemaVersion(store))
  if (found > known) {
    throw new CommandError(
      `${store.db.name} has schema version ${found}; this answerlake knows versions up to ${known}. ` +
        'Install the newer answerlake that wrote it, or restore a backup made before the upgrade.',
    )
  }
}

/**
 * Copies the catalog to the path, replacing what is there. SQLite makes the copy: a catalog that is open must never be
 * copied by reading its file, since closing the file drops SQLite's locks on it.
 */
export function backUp(store: Store, path: string): void {
  const partial = `${path}.${toBase32(store.random.bytes(5))}.tmp`
  try {
    store.guard(() => store.db.prepare('VACUUM INTO ?').run(partial))
    chmodSync(partial, 0o600)
    sync(partial)
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** Forces a directory's entries to the disk. Windows can't; its names are in the journal of the file system. */
export function syncDirectory(path: string): void {
  if (process.platform !== 'win32') sync(path)
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
