import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import { listNames } from '../change/orphans.ts'
import { measureReplies } from '../collect/kept-replies.ts'
import type { Dataset, PartitionMonth, Snapshot } from '../domain/manifest.ts'
import type { RecordedKind } from '../domain/recorded-change.ts'
import { STAGING_DIR } from '../lake/write/staging.ts'
import { toPartitions } from './partitions.ts'

interface Amount {
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

export interface SiteStatus extends Amount {
  readonly site_id: string
  readonly domain: string
  readonly datasets: readonly ({ readonly dataset: Dataset } & Amount)[]
}

/** A partition with more files than a compaction leaves. */
export interface Crowded {
  readonly site_id: string
  readonly dataset: Dataset
  readonly month: PartitionMonth
  readonly files: number
}

export interface LakeStatus extends Amount {
  /** The newest snapshot; 0 before the first import. */
  readonly snapshot: Snapshot
  readonly sites: readonly SiteStatus[]
  /** Replaced files that are kept for older snapshots. */
  readonly retired: { readonly files: number; readonly bytes: number }
  /** Changes under way, or killed and not yet cleared away. */
  readonly staging: { readonly changes: number; readonly files: number; readonly bytes: number }
  /** What scans keep beside the lake. */
  readonly raw_replies: { readonly files: number; readonly bytes: number }
  readonly newest_import: {
    readonly site_id: string
    readonly kind: RecordedKind
    readonly snapshot: Snapshot
    readonly created_at: string
  } | null
  readonly crowded: readonly Crowded[]
}

/** What the lake holds, of one site or of all, by the manifest. */
export async function readStatus(
  { catalog, clock, lakeDir }: ChangeContext,
  { siteId }: { readonly siteId?: string } = {},
): Promise<LakeStatus> {
  const status = catalog.read(() => {
    const { manifest } = catalog
    const { live, retired } = manifest.totals(siteId)
    const sites = catalog.sites
      .list()
      .filter(({ id }) => siteId === undefined || id === siteId)
      .map(({ id, domain }): SiteStatus => {
        const datasets = live
          .filter((total) => total.siteId === id)
          .map(({ dataset, files, rows, bytes }) => ({ dataset, files, rows, bytes }))
        const { files, rows, bytes } = sumUp(datasets)
        return { site_id: id, domain, files, rows, bytes, datasets }
      })
    const [newest] = sites
      .flatMap(({ site_id }) =>
        catalog.recordedChanges
          .list({ siteId: site_id, isStanding: true, limit: 1 })
          .map(({ kind, snapshot, createdAt }) => ({ site_id, kind, snapshot: snapshot ?? 0, created_at: createdAt })),
      )
      .sort((a, b) => b.snapshot - a.snapshot)
    return {
      snapshot: manifest.currentSnapshot(siteId),
      sites,
      ...sumUp(sites),
      retired,
      newest_import: newest ?? null,
      crowded: sites
        .flatMap(({ site_id }) => toPartitions(manifest.listFiles(site_id, manifest.currentSnapshot(site_id)), clock))
        .filter(({ files, filesMax }) => files.length > filesMax)
        .map(({ siteId, dataset, month, files }) => ({ site_id: siteId, dataset, month, files: files.length })),
    }
  })
  return { ...status, staging: await readStaging(lakeDir), raw_replies: await measureReplies(dirname(lakeDir)) }
}

function sumUp(parts: readonly Amount[]): Amount {
  return parts.reduce(
    (sum, part) => ({ files: sum.files + part.files, rows: sum.rows + part.rows, bytes: sum.bytes + part.bytes }),
    { files: 0, rows: 0, bytes: 0 },
  )
}

async function readStaging(lakeDir: string): Promise<LakeStatus['staging']> {
  const changes = await listNames(join(lakeDir, STAGING_DIR))
  let files = 0
  let bytes = 0
  for (const token of changes) {
    for (const name of await listNames(join(lakeDir, STAGING_DIR, token))) {
      const found = await stat(join(lakeDir, STAGING_DIR, token, name)).catch(() => undefined)
      if (!found?.isFile()) continue
      files += 1
      bytes += found.size
    }
  }
  return { changes: changes.length, files, bytes }
}
