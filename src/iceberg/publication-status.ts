import type { ChangeContext } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'

/** A current publication, beside what the lake has by now. */
export interface PublicationStatus {
  readonly directory: string
  readonly publication: number
  readonly lake_snapshot: Snapshot
  readonly published_at: string
  /** Higher than `lake_snapshot` when the lake has changed since. */
  readonly newest_snapshot: Snapshot
  /** Files that are replaced in the lake and that it names, and their bytes. */
  readonly kept_files: number
  readonly kept_bytes: number
}

/** The current publications of a data directory, one a directory. */
export function readPublicationStatus({ catalog }: ChangeContext): PublicationStatus[] {
  return catalog.read(() => {
    const { manifest, publications } = catalog
    const newest = manifest.currentSnapshot()
    const retired = manifest.listRetired()
    const current = publications.list().filter(({ replacedAt }) => replacedAt === null)
    return [...Map.groupBy(current, ({ directory }) => directory).values()].flatMap((group) => {
      const last = group.at(-1)
      if (!last) return []
      const kept = retired.filter(({ addedIn, removedIn }) => addedIn <= last.snapshot && last.snapshot < removedIn)
      return {
        directory: last.directory,
        publication: last.no,
        lake_snapshot: last.snapshot,
        published_at: last.begunAt,
        newest_snapshot: newest,
        kept_files: kept.length,
        kept_bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
      }
    })
  })
}
