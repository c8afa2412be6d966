import type { NewAuditEntry } from '../src/catalog/audit.ts'
import type { Catalog } from '../src/catalog/catalog.ts'

/** Changes the catalog and notes it in the audit under the system's user: both, or none of the two. */
export function changeNoted<T>(catalog: Catalog, work: () => T, toEntry: (result: T) => NewAuditEntry): T {
  return catalog.transaction(() => {
    const result = work()
    catalog.audit.record(toEntry(result))
    return result
  })
}
