import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../errors.ts'
import { toBase32 } from '../ids.ts'
import { LEASE_BEAT_MS, LEASE_POLL_MS, LEASE_STUCK_MS } from '../limits.ts'
import { makeDirectory } from '../make-directory.ts'
import { isFree, type LockedFile, lockFile, removeIfFree } from './locked-file.ts'
import type { Store } from './store.ts'

/** The right to change one part of the lake, held by one process at a time. */
export interface Lease {
  /** Names this holding; a later one of the same lease has another. */
  readonly token: string
  /** Throws CommandError when another process has taken over. Called inside the transaction that commits the work. */
  assertHeld(): void
  /**
   * Does the work, which returns at once, while nobody can take over: for what can't be a part of a transaction of the
   * catalog, and must not be done by whoever was taken for dead. Throws as `assertHeld`.
   */
  whileHeld<T>(work: () => T): T
  /** Never fails: a lease whose holder is gone is free anyway. */
  release(): void
}

/** A sign that this process is there, for what it owns on disk and in the table of pins. */
export interface Presence {
  readonly token: string
  leave(): void
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
  /** Shows this process until `leave` or its death. */
  enter(): Presence
  /** Tokens of the leases whose holders are alive. */
  listHeld(): Set<string>
  /** Whether the process that made the token, by a lease or by `enter`, is alive and still has it. */
  isAlive(token: string): boolean
  /** Forgets dead holders and removes their files in `locks/`. Returns the number of files removed. */
  sweep(): number
}

export function openLeases(store: Store, locksDir: string): Leases {
  return store.isAlone ? openLeasesAlone(store) : openSharedLeases(store, locksDir)
}

/** Nobody else has the catalog: everything is free, and everybody else is gone. */
function openLeasesAlone({ random }: Store): Leases {
  const own = new Set<string>()
  const enter = (): string => {
    const token = toBase32(random.bytes(10))
    own.add(token)
    return token
  }
  const take = (): Lease => {
    const token = enter()
    return { token, assertHeld: () => {}, whileHeld: (work) => work(), release: () => void own.delete(token) }
  }
  return {
    acquire: () => Promise.resolve(take()),
    tryAcquire: take,
    enter() {
      const token = enter()
      return { token, leave: () => void own.delete(token) }
    },
    listHeld: () => new Set(own),
    isAlive: (token) => own.has(token),
    sweep: () => 0,
  }
}

function openSharedLeases(store: Store, locksDir: string): Leases {
  const { db } = store
  const select = db.prepare<[string], string>('SELECT token FROM leases WHERE name = ?').pluck()
  const selectAll = db.prepare<[], string>('SELECT token FROM leases').pluck()
  const upsert = db.prepare<[string, string]>(
    'INSERT INTO leases (name, token) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token',
  )
  const remove = db.prepare<[string, string]>('DELETE FROM leases WHERE name = ? AND token = ?')
  const removeToken = db.prepare<[string]>('DELETE FROM leases WHERE token = ?')
  const lockPath = (token: string): string => join(locksDir, `${token}.lock`)

  /** Takes the lease if nobody has it, or if `mayTake` says that its holder is gone. */
  function take(name: string, mayTake: (token: string) => boolean): Lease | undefined {
    // Looked at without the catalog's write lock, which a waiter would otherwise take ten times a second.
    const seen = store.read(() => select.get(name))
    if (seen !== undefined && !mayTake(seen)) return undefined
    const held = hold()
    let isTaken = false
    try {
      isTaken = store.write(() => {
        if (select.get(name) !== seen) return false
        upsert.run(name, held.token)
        return true
      })
    } finally {
      if (!isTaken) held.lock.free()
    }
    if (!isTaken) return undefined
    if (seen !== undefined) rmSync(lockPath(seen), { force: true })
    return toLease(name, held)
  }

  function hold(): Held {
    makeDirectory(locksDir)
    const token = toBase32(store.random.bytes(10))
    return { token, lock: lockFile(lockPath(token)) }
  }

  function toLease(name: string, { token, lock }: Held): Lease {
    const beat = setInterval(() => lock.touch(), LEASE_BEAT_MS)
    beat.unref()
    const assertHeld = (): void => {
      if (select.get(name) === token) return
      throw new CommandError(
        'This process stood still for so long that another one took over its work. Nothing was changed. Repeat the command.',
      )
    }
    return {
      token,
      assertHeld,
      whileHeld: (work) =>
        store.write(() => {
          assertHeld()
          return work()
        }),
      release() {
        clearInterval(beat)
        lock.free()
        try {
          store.write(() => remove.run(name, token))
        } catch {
          // On a full disk the row stays; without a locked file it holds nobody up.
        }
      },
    }
  }

  const isLocked = (token: string): boolean => !isFree(lockPath(token))

  return {
    listHeld: () => new Set(store.read(() => selectAll.all()).filter(isLocked)),
    isAlive: isLocked,
    tryAcquire: (name) => take(name, (token) => !isLocked(token)),
    async acquire(name, { onWait, signal } = {}) {
      const watch = createWatch()
      for (let isFirst = true; ; isFirst = false) {
        signal?.throwIfAborted()
        const lease = take(name, (token) => !isLocked(token) || watch.isStuck(lockPath(token)))
        if (lease) return lease
        if (isFirst) onWait?.()
        await pause(LEASE_POLL_MS, undefined, signal ? { signal } : {})
      }
    },
    enter() {
      const { token, lock } = hold()
      return { token, leave: () => lock.free() }
    },
    sweep() {
      const dead = store.read(() => selectAll.all()).filter((token) => !isLocked(token))
      if (dead.length > 0) store.write(() => dead.forEach((token) => removeToken.run(token)))
      const names = (existsSync(locksDir) ? readdirSync(locksDir) : []).filter((name) => name.endsWith('.lock'))
      return names.filter((name) => removeIfFree(join(locksDir, name))).length
    },
  }
}

interface Held {
  readonly token: string
  readonly lock: LockedFile
}

/**
 * Notices that a holder's file is no longer touched, by this process's own steady clock. Time in which this process
 * itself stood still doesn't count: a machine that slept woke both.
 */
function createWatch(): { isStuck(path: string): boolean } {
  let seen = ''
  let lookedAt = performance.now()
  let stillMs = 0
  return {
    isStuck(path) {
      const now = performance.now()
      const state = `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`
      stillMs = state === seen ? stillMs + Math.min(now - lookedAt, 2 * LEASE_POLL_MS) : 0
      seen = state
      lookedAt = now
      return stillMs > LEASE_STUCK_MS
    },
  }
}
