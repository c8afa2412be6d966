import { join } from 'node:path'
import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { ChangeKind, Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'
import { toStorageError } from '../lake/durable-files.ts'
import { openStaging, type Staging } from '../lake/staging.ts'
import { DATASET_GROUPS, type DatasetGroup } from './dataset-groups.ts'
import { removeOrphans } from './orphans.ts'

/** What changes of the lake stand on. */
export interface ChangeContext {
  readonly catalog: Catalog
  readonly clock: Clock
  /** The data directory's `lake/`. */
  readonly lakeDir: string
}

export interface ChangeOptions {
  readonly site: { readonly id: string }
  /** Data sets that the change may read and write; one change at a time has a site's group. */
  readonly group: DatasetGroup
  readonly kind: ChangeKind
  readonly signal?: AbortSignal
  /** Called once when another change has the group at first. */
  onWait?(): void
}

/** A change in the making. */
export interface Change {
  readonly staging: Staging
  /** The site's live files of the group when the change began. */
  readonly files: readonly LakeFile[]
  /**
   * Makes the change visible, all at once: staged files are moved into place, then one transaction of the catalog
   * writes the manifest and whatever `within` writes. `remove` names files that the new snapshot no longer has.
   */
  commit(within: (snapshot: Snapshot) => void, remove?: readonly string[]): Promise<Snapshot>
}

/**
 * Runs one change of a site's part of the lake: alone (others wait), in a staging directory that is gone afterwards,
 * visible as a whole or not at all. Throws CommandError for a full disk, lost permissions and the like, AbortError when
 * `signal` fires; nothing is left behind then.
 */
export async function changeLake<T>(
  { catalog, lakeDir }: ChangeContext,
  { site, group, kind, signal, onWait }: ChangeOptions,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  const lease = await catalog.leases.acquire(`${group}:${site.id}`, {
    ...(signal ? { signal } : {}),
    ...(onWait ? { onWait: () => onWait() } : {}),
  })
  let staging: Staging | undefined
  try {
    await removeOrphans({ catalog, lakeDir }, site.id, group)
    const opened = await openStaging(lakeDir, site.id, lease.token)
    staging = opened
    const datasets: readonly Dataset[] = DATASET_GROUPS[group]
    const files = catalog.manifest
      .listFiles(site.id, catalog.manifest.currentSnapshot(site.id))
      .filter((file) => datasets.includes(file.dataset))
    return await work({
      staging: opened,
      files,
      async commit(within, remove = []) {
        signal?.throwIfAborted()
        const add = await opened.publish()
        return catalog.manifest.commit({ kind, siteId: site.id, add, remove }, (committed) => {
          lease.assertHeld()
          within(committed)
        })
      },
    })
  } catch (error) {
    throw toStorageError(error, `The data directory (${join(lakeDir, '..')})`)
  } finally {
    // Even a commit that reported an error is asked about: what the manifest knows must stay.
    await staging?.discard(() => catalog.manifest.allKnownPaths())
    lease.release()
  }
}
