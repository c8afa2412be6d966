import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import { STAGING_DIR } from '../lake/staging.ts'
import { DATASET_GROUPS, type DatasetGroup } from './dataset-groups.ts'

/**
 * Removes what changes left behind that were killed: staging directories whose holder is gone, and files of the site's
 * group that the manifest doesn't know. The caller holds the group's lease, so no live change owns such a file. Returns
 * the paths removed, relative to the lake.
 */
export async function removeOrphans(
  { catalog, lakeDir }: { catalog: Catalog; lakeDir: string },
  siteId: string,
  group: DatasetGroup,
): Promise<string[]> {
  const removed: string[] = []
  const held = catalog.leases.listHeld()
  for (const name of await list(join(lakeDir, STAGING_DIR))) {
    if (held.has(name)) continue
    await rm(join(lakeDir, STAGING_DIR, name), { recursive: true, force: true })
    removed.push(`${STAGING_DIR}/${name}`)
  }
  const known = catalog.manifest.allKnownPaths()
  for (const dataset of DATASET_GROUPS[group]) {
    for (const month of await list(join(lakeDir, dataset, siteId))) {
      for (const name of await list(join(lakeDir, dataset, siteId, month))) {
        const path = `${dataset}/${siteId}/${month}/${name}`
        if (known.has(path)) continue
        await rm(join(lakeDir, path), { force: true })
        removed.push(path)
      }
    }
  }
  return removed
}

async function list(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
