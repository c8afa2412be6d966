import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import { type Dataset, DATASETS } from '../domain/manifest.ts'
import { STAGING_DIR } from '../lake/write/staging.ts'

/** Files and staging directories, as paths relative to the lake, that changes left behind when they were killed. */
export interface Orphans {
  readonly stagings: readonly string[]
  readonly files: readonly string[]
}

/** Part of the lake that is looked through; the staging directories always are. */
export interface OrphanScope {
  readonly siteIds: readonly string[]
  readonly datasets?: readonly Dataset[]
}

/**
 * Finds what no live change owns and the manifest doesn't know. Safe beside changes at work, by the order of its looks: a
 * file seen first is, if its change still lives, named in that change's staging directory, which is looked at next; if
 * the change has ended since, the manifest, which is looked at last, knows the file or it is gone.
 */
export async function findOrphans(
  { catalog, lakeDir }: { readonly catalog: Catalog; readonly lakeDir: string },
  { siteIds, datasets = DATASETS }: OrphanScope,
): Promise<Orphans> {
  const files: string[] = []
  for (const dataset of datasets) {
    for (const siteId of siteIds) {
      for (const month of await listNames(join(lakeDir, dataset, siteId))) {
        const names = await listNames(join(lakeDir, dataset, siteId, month))
        files.push(
          ...names.filter((name) => FILE_NAME.test(name)).map((name) => `${dataset}/${siteId}/${month}/${name}`),
        )
      }
    }
  }
  const stagings = await listNames(join(lakeDir, STAGING_DIR))
  const held = catalog.leases.listHeld()
  const owned = new Set<string>()
  for (const token of held) for (const name of await listNames(join(lakeDir, STAGING_DIR, token))) owned.add(name)
  const known = catalog.manifest.allKnownPaths()
  return {
    stagings: stagings.filter((token) => !held.has(token)).map((token) => `${STAGING_DIR}/${token}`),
    files: files.filter((path) => !known.has(path) && !owned.has(toName(path))),
  }
}

/** Removes what `findOrphans` finds; gives it back. */
export async function removeOrphans(
  context: { readonly catalog: Catalog; readonly lakeDir: string },
  scope: OrphanScope,
): Promise<Orphans> {
  const orphans = await findOrphans(context, scope)
  for (const path of [...orphans.files, ...orphans.stagings]) {
    await rm(join(context.lakeDir, path), { recursive: true, force: true })
  }
  return orphans
}

/** Names in a directory; none when it isn't there, or is no directory. */
export async function listNames(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
}

/** An id of 128 random bits, as this program names files; what is called otherwise is somebody else's. */
const FILE_NAME = /^[0-9a-z]{26}\.parquet$/
const toName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
