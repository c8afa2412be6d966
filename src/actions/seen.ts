import type { Catalog } from '../catalog/catalog.ts'
import type { Snapshot } from '../domain/manifest.ts'

/** What cards are made from: a site's data, and the revision of what was decided about it. */
export interface Seen {
  readonly snapshot: Snapshot
  readonly rev: number
}

/** Both only ever grow, as counters do. */
const COUNTERS = { snapshot: 'cards_snapshot', rev: 'cards_rev' } as const

/** A site's state at its last refresh (all zero before the first) and now. */
export function readSeen(catalog: Catalog, siteId: string): { last: Seen; now: Seen } {
  const { sites, manifest } = catalog
  return catalog.read(() => ({
    last: { snapshot: sites.counter(siteId, COUNTERS.snapshot, 0), rev: sites.counter(siteId, COUNTERS.rev, 0) },
    now: { snapshot: manifest.currentSnapshot(siteId), rev: sites.rev(siteId) },
  }))
}

export function saveSeen(catalog: Catalog, siteId: string, { snapshot, rev }: Seen): void {
  const { sites } = catalog
  catalog.transaction(() => {
    sites.setCounter(siteId, COUNTERS.snapshot, snapshot)
    sites.setCounter(siteId, COUNTERS.rev, rev)
  })
}
