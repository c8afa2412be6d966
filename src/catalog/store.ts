import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Clock } from '../clock.ts'
import { CommandError } from '../errors.ts'
import type { Random } from '../ids.ts'
import {
  CATALOG_BUSY_PAUSE_MS,
  CATALOG_BUSY_TIMEOUT_MS,
  CATALOG_FREE_RETRIES_MAX,
  CATALOG_JOURNAL_BYTES_MAX,
  CATALOG_RETRIES_MAX,
  CATALOG_WAIT_MS,
} from '../limits.ts'
import { hasMetWriter, isSqliteBusy, translate } from './sqlite-failures.ts'
import { readSqliteVersion } from './version.ts'

/** `server`: short waits, refusals as ApiError. `command`: waits up to half a minute, refusals as CommandError. */
export type CatalogMode = 'server' | 'command'

/** What every table family of the catalog is built on: one connection and the two ways to use it. */
export interface Store {
  readonly db: Database.Database
  readonly clock: Clock
  readonly random: Random
  readonly mode: CatalogMode
  /**
   * True where the disk had no room for the file that SQLite shares between processes: until it is closed this one has the
   * catalog to itself, to read it, and to write it when it has made room.
   */
  readonly isAlone: boolean
  /** Runs reads that belong together on one state of the catalog. Takes no promise. */
  read<T>(work: () => T): T
  /**
   * Runs the work in one `BEGIN IMMEDIATE` transaction: all of it is kept, or none when it throws. Inside another
   * `write` it is a part of that one. Takes no promise.
   */
  write<T>(work: () => T): T
  /** Runs a statement that stands outside transactions (`VACUUM INTO`, a checkpoint). */
  guard<T>(work: () => T): T
  /** A number that differs from an earlier one whenever this or another process has changed anything in between. */
  version(): number
}

/** Opens the connection with the settings that durability rests on: WAL with `synchronous=FULL` and foreign keys. */
export function openStore(path: string, options: { clock: Clock; random: Random; mode: CatalogMode }): Store {
  const { clock, random, mode } = options
  // Opening is done once and before anything is served, so that also the server takes its time for it.
  const { db, isAlone } = attempt('command', () => withReason(path, () => openWithRoom(path, mode)))
  const transaction = db.transaction((work: () => unknown) => work())
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck()
  let ownWrites = 0
  let seenVersion = dataVersion.get()
  let changes = 0

  return {
    db,
    clock,
    random,
    mode,
    isAlone,
    read: (work) =>
      db.inTransaction
        ? work()
        : translating(mode, 'read', () => transaction.deferred(work) as ReturnType<typeof work>),
    write(work) {
      if (db.inTransaction) return transaction(work) as ReturnType<typeof work>
      const result = attempt(mode, () => transaction.immediate(work) as ReturnType<typeof work>)
      ownWrites += 1
      return result
    },
    guard: (work) => translating(mode, 'write', work),
    version() {
      // data_version tells of other connections only; this connection's own writes are counted beside it.
      const version = translating(mode, 'read', () => dataVersion.get())
      if (version !== seenVersion) {
        seenVersion = version
        changes += 1
      }
      return changes + ownWrites
    },
  }
}

/** A write of the server that waits for other writers, for a second at most, without keeping the event loop. */
export async function writeWhenFree<T>({ db }: Pick<Store, 'db'>, work: () => T): Promise<T> {
  return retryWhenBusy(() => {
    db.pragma('busy_timeout = 0')
    try {
      return work()
    } finally {
      db.pragma(`busy_timeout = ${CATALOG_BUSY_TIMEOUT_MS.server}`)
    }
  }, CATALOG_FREE_RETRIES_MAX)
}

/**
 * For the server: repeats a write that met another writer without blocking the event loop in between, then gives up with
 * `overloaded`.
 */
export async function retryWhenBusy<T>(work: () => T, retriesMax = CATALOG_RETRIES_MAX): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return work()
    } catch (error) {
      if (!hasMetWriter(error) || tries >= retriesMax) throw error
      await setTimeout(CATALOG_BUSY_PAUSE_MS)
    }
  }
}

/**
 * A full disk has no room for the index that SQLite shares beside its file. A command then keeps the index in its own
 * memory, for which it must be alone; a server would shut everybody else out.
 */
function openWithRoom(path: string, mode: CatalogMode): { db: Database.Database; isAlone: boolean } {
  try {
    return { db: openConnection(path, mode, 'NORMAL'), isAlone: false }
  } catch (error) {
    if (!isNoRoom(error)) throw error
    if (mode === 'server') throw new NoRoomError(toFullText(path), { cause: error })
    return { db: openConnection(path, mode, 'EXCLUSIVE'), isAlone: true }
  }
}

/** A catalog that a server can't open on a full disk. */
export class NoRoomError extends CommandError {}

/** Whether SQLite, or whoever put its words into others, found the disk full. */
function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return /^SQLITE_(FULL|IOERR_SHM)/.test('code' in error ? String(error.code) : '') || isNoRoom(error.cause)
}

const toFullText = (path: string): string =>
  `The disk of ${path} is full: what is there can be listed and backed up, not served. Free some space: \`answerlake lake gc --grace 0\` deletes files that were replaced.`

function openConnection(path: string, mode: CatalogMode, locking: 'NORMAL' | 'EXCLUSIVE'): Database.Database {
  const db = new Database(path, { timeout: CATALOG_BUSY_TIMEOUT_MS[mode] })
  try {
    // Before the file is read for the first time: that decides where the index is.
    db.pragma(`locking_mode = ${locking}`)
    assertFixedSqlite(db)
    db.pragma('trusted_schema = OFF')
    db.pragma('cell_size_check = ON')
    db.pragma('foreign_keys = ON')
    // What is deleted is overwritten: it must not be found in free pages.
    db.pragma('secure_delete = ON')
    const journalMode = db.pragma('journal_mode = WAL', { simple: true })
    if (journalMode !== 'wal') {
      throw new CommandError(`${path} is on a file system that cannot keep a database safe. Use a local disk.`)
    }
    db.pragma('synchronous = FULL')
    db.pragma(`journal_size_limit = ${CATALOG_JOURNAL_BYTES_MAX}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Says why the catalog can't be opened where SQLite only says that it can't. */
function withReason<T>(path: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !/^SQLITE_(CANTOPEN|READONLY|IOERR)/.test(error.code)) throw error
    const reason = findObstacle(path)
    throw reason === undefined ? error : new CommandError(toRefusal(path, reason), { cause: error })
  }
}

const toRefusal = (path: string, reason: string): string => `The catalog ${path} cannot be opened: ${reason}`

/** What is said of a catalog that this account may not read or write. */
export const toDeniedText = (path: string): string => toRefusal(path, DENIED)

const DENIED =
  'permission is denied. Run the command as the user who owns the data directory, or correct its permissions.'

/** SQLite keeps two files beside its own, so that the directory must be writable too. */
function findObstacle(path: string): string | undefined {
  try {
    for (const needed of [dirname(path), path]) accessSync(needed, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EROFS'
      ? 'its file system is mounted read-only. Mount it for writing and repeat the command.'
      : DENIED
  }
}

/** SQLite before 3.51.3 can corrupt a WAL database that several connections write. */
function assertFixedSqlite(db: Database.Database): void {
  const version = readSqliteVersion(db)
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (major * 1_000_000 + minor * 1_000 + patch < 3_051_003) {
    throw new Error(`SQLite ${version} is too old: 3.51.3 or newer is needed (its WAL mode can lose data before that).`)
  }
}

/** Repeats work that met another writer until the mode's waiting time is over. */
function attempt<T>(mode: CatalogMode, work: () => T): T {
  const startedMs = performance.now()
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() - startedMs >= CATALOG_WAIT_MS[mode])
        throw translate(error, mode, 'write')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CATALOG_BUSY_PAUSE_MS)
    }
  }
}

function translating<T>(mode: CatalogMode, doing: 'read' | 'write', work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translate(error, mode, doing)
  }
}
