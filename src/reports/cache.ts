import { LRUCache } from 'lru-cache'
import type { Row } from '../lake/cells.ts'
import { Abandoned } from '../lake/read/work.ts'
import { REPORT_CACHE_BYTES_MAX, REPORT_CACHE_ENTRIES_MAX } from '../limits.ts'

/**
 * Pages of reports that were answered before. A key names everything a page depends on (request, snapshot, revision),
 * so an entry is never wrong, only no longer asked for. Requests for the same page at once share one query.
 */
export interface ReportCache {
  get(key: string, query: () => Promise<readonly Row[]>): Promise<readonly Row[]>
}

/** An empty cache, bounded by entries and by the bytes of their JSON (limits.ts). */
export function createReportCache(): ReportCache {
  const pages = new LRUCache<string, readonly Row[]>({
    max: REPORT_CACHE_ENTRIES_MAX,
    maxSize: REPORT_CACHE_BYTES_MAX,
    sizeCalculation: (rows, key) => key.length + JSON.stringify(rows).length,
  })
  const running = new Map<string, Promise<readonly Row[]>>()
  const cache: ReportCache = {
    async get(key, query) {
      const known = pages.get(key)
      if (known) return known
      try {
        const joined = running.get(key)
        if (joined) return await joined
      } catch (error) {
        if (!(error instanceof Abandoned)) throw error
        // Who asked first went away, and the query with them.
        return cache.get(key, query)
      }
      const promise = query()
      running.set(key, promise)
      try {
        const rows = await promise
        pages.set(key, rows)
        return rows
      } finally {
        running.delete(key)
      }
    },
  }
  return cache
}
