import { setTimeout as pause } from 'node:timers/promises'
import type { Catalog } from '../catalog/catalog.ts'
import { hasMetWriter } from '../catalog/sqlite-failures.ts'

const BUSY_MS_MAX = 60_000
const BUSY_PAUSE_MS = 50

/**
 * Writes to the catalog when no other process does, for a minute at most. A server's writes give up after a second, which a
 * person who waits for an answer needs; a paid call waits.
 */
export async function writePatiently<T>(catalog: Pick<Catalog, 'whenFree'>, work: () => T): Promise<T> {
  const startedMs = performance.now()
  for (;;) {
    try {
      return await catalog.whenFree(work)
    } catch (error) {
      if (!hasMetWriter(error) || performance.now() - startedMs > BUSY_MS_MAX) throw error
      await pause(BUSY_PAUSE_MS)
    }
  }
}
