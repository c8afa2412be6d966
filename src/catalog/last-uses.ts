import { toTimestamp } from '../clock.ts'
import { ApiError } from '../errors.ts'
import type { Store } from './store.ts'

/**
 * When rows of one table were last used: noted in memory, and written now and then, since a write with each request would
 * cost a sync of the disk.
 */
export interface LastUses {
  /** Notes that the row was used now. */
  touch(id: string): void
  /** When the row was used, in milliseconds; undefined where that isn't noted, or is written already. */
  find(id: string): number | undefined
  /**
   * Writes what is noted in one transaction; what is stored never goes back. Keeps it for later when the disk is full or another
   * process is writing.
   */
  flush(): void
}

export function openLastUses(store: Store, table: 'api_keys' | 'sessions'): LastUses {
  const setLastUsed = store.db.prepare<[string, string, string]>(
    `UPDATE ${table} SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`,
  )
  const uses = new Map<string, number>()
  return {
    touch: (id) => {
      uses.set(id, store.clock.now())
    },
    find: (id) => uses.get(id),
    flush() {
      if (uses.size === 0) return
      try {
        store.write(() => {
          for (const [id, usedMs] of uses) setLastUsed.run(toTimestamp(usedMs), id, toTimestamp(usedMs))
        })
        uses.clear()
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    },
  }
}
