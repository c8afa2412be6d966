import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { CommandError } from '../errors.ts'
import { toBase32 } from '../ids.ts'
import { LEASE_BEAT_MS, LEASE_POLL_MS, LEASE_STUCK_MS } from '../limits.ts'
import type { Store } from './store.ts'

/** The right to change one part of the lake, held by one process at a time. */
export interface Lease {
  /** Names this holding; a later one of the same lease has another. */
  readonly token: string
  /** Throws CommandError when another process has taken over. Called inside the transaction that commits the work. */
  assertHeld(): void
  release(): void
}

/**
 * Leases decide who may read-then-write: the first import of an id wins, dictionaries number each page once. A holder
 * that died is seen at once, since the kernel drops its lock on a file; one that is stuck is passed over after
 * LEASE_STUCK_MS, and its commit then fails, because the lease's token has changed.
 */
export interface Leases {
  /** Waits until the lease is free. `onWait` is called once, when it isn't free at first. */
  acquire(name: string, options?: { onWait?: () => void; signal?: AbortSignal }): Promise<Lease>
  /** The lease when it is free now, without waiting. */
  tryAcquire(name: string): Lease | undefined
  /** Tokens of the leases whose holders are alive. */
  listHeld(): Set<string>
}

export function openLeases(store: Store, locksDir: string): Leases {
  const { db } = store
  const select = db.prepare<[string], string>('SELECT token FROM leases WHERE name = ?').pluck()
  const selectAll = db.prepare<[], string>('SELECT token FROM leases').pluck()
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO leases (name, token) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token',
  )
  const remove = db.prepare<[string, string]>('DELETE FROM leases WHERE name = ? AND token = ?')
  const lockPath = (token: string): string => join(locksDir, `${token}.lock`)

  /** Takes the lease if nobody has it, or if `mayTake` says that its holder is gone. */
  function take(name: string, mayTake: (token: string) => boolean): Lease | undefined {
    mkdirSync(locksDir, { recursive: true, mode: 0o700 })
    const token = toBase32(store.random.bytes(10))
    const lock = lockFile(lockPath(token))
    const taken = store.write(() => {
      const holder = select.get(name)
      if (holder !== undefined && !mayTake(holder)) return undefined
      upsert.run(name, token)
      return { before: holder }
    })
    if (!taken) {
      lock.free()
      return undefined
    }
    if (taken.before !== undefined) rmSync(lockPath(taken.before), { force: true })
    return toLease(name, token, lock)
  }

  function toLease(name: string, token: string, lock: LockedFile): Lease {
    const beat = setInterval(() => lock.touch(), LEASE_BEAT_MS)
    beat.unref()
    return {
      token,
      assertHeld() {
        if (select.get(name) === token) return
        throw new CommandError(
          'This process stood still for so long that another one took over its work. Nothing was changed. Repeat the command.',
        )
      },
      release() {
        clearInterval(beat)
        store.write(() => remove.run(name, token))
        lock.free()
      },
    }
  }

  return {
    listHeld: () => new Set(store.read(() => selectAll.all()).filter((token) => !isFree(lockPath(token)))),
    tryAcquire: (name) => take(name, (token) => isFree(lockPath(token))),
    async acquire(name, { onWait, signal } = {}) {
      const watch = createWatch()
      for (let isFirst = true; ; isFirst = false) {
        const lease = take(name, (token) => isFree(lockPath(token)) || watch.isStuck(lockPath(token)))
        if (lease) return lease
        if (isFirst) onWait?.()
        await pause(LEASE_POLL_MS, undefined, signal ? { signal } : {})
      }
    },
  }
}

interface LockedFile {
  touch(): void
  free(): void
}

/** A file that this process holds locked until `free` or its death: an exclusive transaction of SQLite on it. */
function lockFile(path: string): LockedFile {
  const db = new Database(path)
  db.exec('BEGIN EXCLUSIVE')
  let beats = 0
  return {
    touch() {
      beats += 1
      try {
        // The file's time only has to differ from the one before: no clock can be set back under it.
        utimesSync(path, beats, beats)
      } catch {
        // The file is gone when another process has taken over; assertHeld says so at the commit.
      }
    },
    free() {
      db.close()
      rmSync(path, { force: true })
    },
  }
}

function isFree(path: string): boolean {
  let db: Database.Database | undefined
  try {
    db = new Database(path, { timeout: 0, fileMustExist: true })
    db.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')
  } finally {
    db?.close()
  }
}

/** Notices that a holder's file is no longer touched, by this process's own steady clock. */
function createWatch(): { isStuck(path: string): boolean } {
  let seen = ''
  let since = performance.now()
  return {
    isStuck(path) {
      const now = `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`
      if (now !== seen) {
        seen = now
        since = performance.now()
      }
      return performance.now() - since > LEASE_STUCK_MS
    },
  }
}
