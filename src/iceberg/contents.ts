import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { AddedFile } from '../catalog/manifest-rows.ts'
import { MANIFESTS_MAX } from '../publication-limits.ts'
import type { DecidedRow } from './decided-rows.ts'

/** Files of a data set that share a manifest. */
export interface FilesOfManifest {
  readonly files: readonly AddedFile[]
  /** The same for the same files. */
  readonly key: string
}

/**
 * Divides a data set's files by their sites, so that all files of a site share a manifest and a change of one site leaves
 * the other manifests as they are.
 */
export function divide(files: readonly AddedFile[]): FilesOfManifest[] {
  const groups = Map.groupBy(files, ({ siteId }) => crc32(siteId) % MANIFESTS_MAX)
  return [...groups.values()].map((group) => ({ files: group, key: toKey(group.map(({ fileId }) => fileId).sort()) }))
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
