import { LRUCache } from 'lru-cache'
import type { Catalog } from '../catalog/catalog.ts'
import type { Competitor } from '../domain/competitor.ts'
import type { LakeFile, Snapshot } from '../domain/manifest.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'
import { noSuchSite } from '../errors.ts'
import { SITES_REMEMBERED_MAX } from '../limits.ts'

/** What the catalog says of a site at one moment, with the files of one snapshot. */
export interface SiteFacts {
  readonly site: Site
  readonly prompts: readonly Prompt[]
  readonly competitors: readonly Competitor[]
  readonly snapshot: Snapshot
  readonly files: readonly LakeFile[]
  /** No host and no page of the site has a higher number. */
  readonly hostNoMax: number
  readonly pageNoMax: number
}

/** Looks sites up for reports, and remembers what it found until anything in the catalog changes. */
export interface SiteLookup {
  /** The site with the files of the snapshot, the newest unless given. All of it is of one moment. Throws ApiError `not_found` for an unknown one. */
  get(siteId: string, snapshot?: Snapshot): SiteFacts
}

/** A lookup over a catalog that remembers SITES_REMEMBERED_MAX sites. */
export function createSiteLookup(catalog: Catalog): SiteLookup {
  const known = new LRUCache<string, SiteFacts>({ max: SITES_REMEMBERED_MAX })
  let seen = -1
  return {
    get(siteId, wanted) {
      // Asked for before anything is read: what changes in between is read now and looked up again the next time.
      const version = catalog.version()
      if (version !== seen) known.clear()
      seen = version
      const key = `${siteId} ${wanted ?? ''}`
      const found = known.get(key) ?? catalog.read(() => readFacts(catalog, siteId, wanted))
      known.set(key, found)
      return found
    },
  }
}

function readFacts(
  { manifest, sites, prompts, competitors }: Catalog,
  siteId: string,
  wanted: Snapshot | undefined,
): SiteFacts {
  const site = sites.find(siteId)
  // Deleted since the request was looked at.
  if (site?.id !== siteId) throw noSuchSite()
  const snapshot = wanted ?? manifest.currentSnapshot(siteId)
  return {
    site,
    prompts: prompts.list(siteId).prompts,
    competitors: competitors.list(siteId),
    snapshot,
    files: manifest.listFiles(siteId, snapshot),
    hostNoMax: sites.counter(siteId, 'host_no', 1),
    pageNoMax: sites.counter(siteId, 'page_no', 1),
  }
}
