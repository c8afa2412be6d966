import type { Dataset, LakeFile, Snapshot } from '../domain/manifest.ts'

/** A file with the snapshot that brought it, as a publication needs it: there may be very many. */
export interface AddedFile extends Pick<LakeFile, 'siteId' | 'path' | 'rows' | 'bytes' | 'minDay' | 'maxDay'> {
  readonly addedIn: Snapshot
}

/** Files of a data set and site that have the same columns. */
export interface FileSet extends Pick<LakeFile, 'dataset' | 'siteId' | 'schemaVersion'> {
  readonly files: number
  /** In their order, with a space between. */
  readonly fileIds: string
}

/** A file that newer snapshots no longer have, for the collection of what nobody needs. */
export interface RetiredFile extends LakeFile {
  readonly addedIn: Snapshot
  readonly removedIn: Snapshot
  readonly retiredAt: string
}

/** A file as the table `files` has it. */
export interface FileRow {
  readonly file_id: string
  readonly dataset: Dataset
  readonly site_id: string
  readonly month: string
  readonly path: string
  readonly row_count: number
  readonly bytes: number
  readonly sha256: string
  readonly min_day: string | null
  readonly max_day: string | null
  readonly schema_version: number
  readonly added_in: number
  readonly removed_in: number | null
  readonly retired_at: string | null
}

export const FILE_COLUMNS = `file_id, dataset, site_id, month, path, row_count, bytes, sha256, min_day, max_day, schema_version,
  added_in, removed_in, retired_at`

export function toFile(row: FileRow): LakeFile {
  return {
    fileId: row.file_id,
    dataset: row.dataset,
    siteId: row.site_id,
    month: row.month,
    path: row.path,
    rows: row.row_count,
    bytes: row.bytes,
    sha256: row.sha256,
    minDay: row.min_day,
    maxDay: row.max_day,
    schemaVersion: row.schema_version,
  }
}

export function toRetired(row: FileRow): RetiredFile {
  return { ...toFile(row), addedIn: row.added_in, removedIn: row.removed_in ?? 0, retiredAt: row.retired_at ?? '' }
}

export function toFileRow(file: LakeFile, addedIn: Snapshot): FileRow {
  return {
    file_id: file.fileId,
    dataset: file.dataset,
    site_id: file.siteId,
    month: file.month,
    path: file.path,
    row_count: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
    min_day: file.minDay,
    max_day: file.maxDay,
    schema_version: file.schemaVersion,
    added_in: addedIn,
    removed_in: null,
    retired_at: null,
  }
}
