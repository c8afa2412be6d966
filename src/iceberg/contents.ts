import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Manifest } from '../catalog/manifest.ts'
import type { AddedFile, FileSet } from '../catalog/manifest-rows.ts'
import type { Dataset, Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { MANIFESTS_MAX } from '../publication-limits.ts'
import type { DecidedRow } from './decided-rows.ts'

/** Files of a data set that share a manifest. */
export interface FileGroup {
  readonly dataset: Dataset
  readonly siteIds: readonly string[]
  readonly files: number
  /** The same for the same files. */
  readonly key: string
}

/**
 * Divides files by their sites, so that all files of a data set and site share a manifest and a change of one site leaves the
 * other manifests as they are.
 */
export function divide(sets: readonly FileSet[]): FileGroup[] {
  const groups = Map.groupBy(sets, ({ dataset, siteId }) => `${dataset} ${toPlace(siteId)}`)
  return [...groups.values()].map((group) => ({
    dataset: (group[0] as FileSet).dataset,
    siteIds: group.map(({ siteId }) => siteId),
    files: countFiles(group),
    key: toKey(group.map(({ fileIds }) => fileIds).sort()),
  }))
}

export const countFiles = (sets: readonly FileSet[]): number => sets.reduce((sum, { files }) => sum + files, 0)

const toPlace = (siteId: string): number => crc32(siteId) % MANIFESTS_MAX

/**
 * The files of groups of one data set by their keys, as they were in the snapshot. Throws CommandError when some were deleted
 * since then, as a collection without any grace does.
 */
export function readFiles(
  manifest: Manifest,
  snapshot: Snapshot,
  groups: readonly FileGroup[],
): ReadonlyMap<string, readonly AddedFile[]> {
  const [first] = groups
  if (!first) return new Map()
  const siteIds = groups.flatMap((group) => group.siteIds)
  const files = Map.groupBy(manifest.listFilesOf(first.dataset, siteIds, snapshot), ({ siteId }) => toPlace(siteId))
  return new Map(
    groups.map((group) => {
      const found = files.get(toPlace(group.siteIds[0] ?? '')) ?? []
      if (found.length !== group.files)
        throw new CommandError('Files of the lake were deleted meanwhile. Publish again.')
      return [group.key, found]
    }),
  )
}

/** The same for the same rows. */
export function toRowsKey(rows: readonly DecidedRow[]): string {
  return toKey(rows.map((row) => JSON.stringify(row)))
}

function toKey(lines: readonly string[]): string {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(line).update('\n')
  return hash.digest('hex')
}
