import { toTimestamp } from '../clock.ts'
import type { ChangeKind, Dataset, LakeFile, ManifestChange, Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { WriteConflictError } from './write-conflict.ts'
import {
  type AddedFile,
  FILE_COLUMNS,
  type FileSet,
  toFile,
  toFileRow,
  toRetired,
  type FileRow,
  type RetiredFile,
} from './manifest-rows.ts'
import type { Store } from './store.ts'

/** What the live files of one data set of one site add up to. */
export interface DatasetTotal {
  readonly siteId: string
  readonly dataset: Dataset
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

export interface ManifestTotals {
  readonly live: readonly DatasetTotal[]
  /** Replaced files that are kept for older snapshots, or wait for deletion. */
  readonly retired: { readonly files: number; readonly bytes: number }
}

/** The record of which file belongs to which snapshot: what is not in it does not exist (docs/durability.md). */
export interface Manifest {
  /** The newest snapshot, of one site when it is named; 0 before the first commit. */
  currentSnapshot(siteId?: string): Snapshot
  /** The files that a site has in a snapshot, by data set, month and id. Cheap to keep while `catalog.version()` stays. */
  listFiles(siteId: string, snapshot: Snapshot): LakeFile[]
  /** What all sites have in a snapshot, by site. */
  listFileSets(snapshot: Snapshot): FileSet[]
  /** The files of a data set that sites have in a snapshot, in no order. */
  listFilesOf(dataset: Dataset, siteIds: readonly string[], snapshot: Snapshot): AddedFile[]
  /**
   * The one commit point of the lake: a new snapshot with the files added and removed, and whatever `within` writes to the
   * catalog, in one transaction. Files must be complete, synced and in their place before. A WriteConflictError when a file to
   * remove is no longer live, a CommandError when the site was deleted.
   */
  commit(change: ManifestChange, within?: (snapshot: Snapshot) => void): Snapshot
  /** When the newest snapshot was committed; undefined before the first. */
  newestCommitAt(): string | undefined
  /** Whether the snapshot is the site's current one or was replaced for the site no longer than `graceMs` ago, with all files. */
  isReadable(siteId: string, snapshot: Snapshot, graceMs: number): boolean
  /** Files retired before the moment (milliseconds since 1970), or all, that aren't marked for deletion yet. */
  listRetired(beforeMs?: number): RetiredFile[]
  /** Files marked for deletion whose rows are still there: a collection that was stopped goes on with them. */
  listDeleting(): RetiredFile[]
  /** Marks retired files: from now on no snapshot that needs them is readable. Live ones are passed over. */
  markDeleting(fileIds: readonly string[]): void
  /**
   * Dates what was committed or replaced later than now back to now: a clock that was ahead for a while would otherwise
   * keep replaced files until its time comes. Only when no older snapshot is to stay readable.
   */
  endFuture(): void
  /** Forgets files marked for deletion, after they were unlinked. */
  forgetFiles(fileIds: readonly string[]): void
  /** Paths of all files that the manifest knows, in any state. */
  allKnownPaths(): Set<string>
  /** Keeps the files of the snapshot from being collected while the token's process is there (leases.ts). */
  pin(token: string, snapshot: Snapshot): void
  /** Never fails: a pin that stays, on a full disk, keeps nothing once the token's process is gone or has released it. */
  unpin(token: string): void
  /** The oldest snapshot pinned by a process that `isAlive` knows; undefined when none is. Pins of others are forgotten. */
  oldestPinned(isAlive: (token: string) => boolean): Snapshot | undefined
  /** Of one site or of all. */
  totals(siteId?: string): ManifestTotals
}

/** Sorts after every timestamp. */
const AFTER_ALL = '~'

/** With those of sites that were deleted, none of which is live. */
const ALL_FILES = `(
  SELECT ${FILE_COLUMNS}, state FROM files UNION ALL SELECT ${FILE_COLUMNS}, state FROM deleted_site_files
)`

export function openManifest(store: Store): Manifest {
  const { db } = store
  const selectCurrent = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM snapshots').pluck()
  const selectCurrentOf = db
    .prepare<[string], number>('SELECT coalesce(max(id), 0) FROM snapshots WHERE site_id = ?')
    .pluck()
  const selectNewestAt = db.prepare<[], string>('SELECT created_at FROM snapshots ORDER BY id DESC LIMIT 1').pluck()
  const hasSite = db.prepare<[string], number>('SELECT 1 FROM sites WHERE id = ?').pluck()
  const insertSnapshot = db.prepare<[ChangeKind, string, string]>(
    'INSERT INTO snapshots (kind, site_id, created_at) VALUES (?, ?, ?)',
  )
  const insertFile = db.prepare<[FileRow]>(`
    INSERT INTO files (${FILE_COLUMNS}, state)
    VALUES (@file_id, @dataset, @site_id, @month, @path, @row_count, @bytes, @sha256, @min_day, @max_day,
      @schema_version, @added_in, @removed_in, @retired_at, 'live')`)
  const retireFile = db.prepare<[number, string, string, string]>(`
    UPDATE files SET removed_in = ?, retired_at = ?, state = 'retired' WHERE file_id = ? AND site_id = ? AND state = 'live'`)
  const selectFiles = db.prepare<[string, number, number], FileRow>(`
    SELECT ${FILE_COLUMNS} FROM files
    WHERE site_id = ? AND added_in <= ? AND (removed_in IS NULL OR removed_in > ?)
    ORDER BY dataset, month, file_id`)
  const selectFileSets = db.prepare<[number, number], FileSet>(`
    SELECT dataset, site_id AS siteId, schema_version AS schemaVersion, count(*) AS files,
      group_concat(file_id, ' ' ORDER BY file_id) AS fileIds
    FROM files WHERE added_in <= ? AND (removed_in IS NULL OR removed_in > ?)
    GROUP BY site_id, dataset, schema_version`)
  const selectFilesOf = db.prepare<[string, string, number, number], AddedFile>(`
    SELECT site_id AS siteId, path, row_count AS rows, bytes, min_day AS minDay, max_day AS maxDay, added_in AS addedIn
    FROM files
    WHERE dataset = ? AND site_id IN (SELECT value FROM json_each(?))
      AND added_in <= ? AND (removed_in IS NULL OR removed_in > ?)`)
  const selectReplacedAt = db
    .prepare<[string, number], string>(
      'SELECT created_at FROM snapshots WHERE site_id = ? AND id > ? ORDER BY id LIMIT 1',
    )
    .pluck()
  const selectDeletedThrough = db
    .prepare<[string], number>('SELECT snapshot FROM deleted_through WHERE site_id = ?')
    .pluck()
  const selectRetired = db.prepare<[string], FileRow>(
    `SELECT ${FILE_COLUMNS} FROM ${ALL_FILES} WHERE state = 'retired' AND retired_at < ? ORDER BY removed_in, file_id`,
  )
  const selectDeleting = db.prepare<[], FileRow>(
    `SELECT ${FILE_COLUMNS} FROM ${ALL_FILES} WHERE state = 'deleting' ORDER BY removed_in, file_id`,
  )
  const setDeleting = db.prepare<[string], { site_id: string; removed_in: number }>(
    `UPDATE files SET state = 'deleting' WHERE file_id = ? AND state = 'retired' RETURNING site_id, removed_in`,
  )
  const setDeletingOfDeleted = db.prepare<[string]>(
    `UPDATE deleted_site_files SET state = 'deleting' WHERE file_id = ?`,
  )
  const dateSnapshotsBack = db.prepare<[string, string]>('UPDATE snapshots SET created_at = ? WHERE created_at > ?')
  const dateRetiredBack = ['files', 'deleted_site_files'].map((table) =>
    db.prepare<[string, string]>(`UPDATE ${table} SET retired_at = ? WHERE retired_at > ?`),
  )
  const raiseDeletedThrough = db.prepare<[string, number]>(`
    INSERT INTO deleted_through (site_id, snapshot) VALUES (?, ?)
    ON CONFLICT (site_id) DO UPDATE SET snapshot = max(snapshot, excluded.snapshot)`)
  const deleteFile = ['files', 'deleted_site_files'].map((table) =>
    db.prepare<[string]>(`DELETE FROM ${table} WHERE file_id = ? AND state = 'deleting'`),
  )
  const selectPaths = db.prepare<[], string>(`SELECT path FROM ${ALL_FILES}`).pluck()
  const upsertPin = db.prepare<[string, number]>(
    'INSERT INTO pins (token, snapshot) VALUES (?, ?) ON CONFLICT (token) DO UPDATE SET snapshot = excluded.snapshot',
  )
  const deletePin = db.prepare<[string]>('DELETE FROM pins WHERE token = ?')
  const selectPins = db.prepare<[], { token: string; snapshot: number }>(
    'SELECT token, snapshot FROM pins ORDER BY snapshot',
  )
  const selectTotals = db.prepare<[object], DatasetTotal>(`
    SELECT site_id AS siteId, dataset, count(*) AS files, sum(row_count) AS rows, sum(bytes) AS bytes
    FROM files WHERE state = 'live' AND (@siteId IS NULL OR site_id = @siteId)
    GROUP BY site_id, dataset ORDER BY site_id, dataset`)
  const selectRetiredTotal = db.prepare<[object], { files: number; bytes: number }>(`
    SELECT count(*) AS files, coalesce(sum(bytes), 0) AS bytes
    FROM ${ALL_FILES} WHERE state <> 'live' AND (@siteId IS NULL OR site_id = @siteId)`)

  /** Snapshots never go back in time, whatever the clock does. */
  const commitTime = (): string => {
    const now = toTimestamp(store.clock.now())
    const newest = selectNewestAt.get() ?? now
    return newest > now ? newest : now
  }

  return {
    currentSnapshot: (siteId) =>
      store.read(() => (siteId === undefined ? selectCurrent.get() : selectCurrentOf.get(siteId))) ?? 0,
    listFiles: (siteId, snapshot) => store.read(() => selectFiles.all(siteId, snapshot, snapshot)).map(toFile),
    listFileSets: (snapshot) => store.read(() => selectFileSets.all(snapshot, snapshot)),
    listFilesOf: (dataset, siteIds, snapshot) =>
      store.read(() => selectFilesOf.all(dataset, JSON.stringify(siteIds), snapshot, snapshot)),
    commit: (change, within) =>
      store.write(() => {
        if (!hasSite.get(change.siteId)) {
          throw new CommandError(`The site ${change.siteId} was deleted meanwhile. Nothing was changed.`)
        }
        const at = commitTime()
        const snapshot = Number(insertSnapshot.run(change.kind, change.siteId, at).lastInsertRowid)
        for (const file of change.add) insertFile.run(toFileRow(file, snapshot))
        for (const fileId of change.remove) {
          if (retireFile.run(snapshot, at, fileId, change.siteId).changes === 0) {
            throw new WriteConflictError(`The file ${fileId} was replaced by another process.`)
          }
        }
        within?.(snapshot)
        return snapshot
      }),
    newestCommitAt: () => store.read(() => selectNewestAt.get()),
    isReadable: (siteId, snapshot, graceMs) =>
      store.read(() => {
        if (snapshot < 0 || snapshot > (selectCurrent.get() ?? 0)) return false
        if (snapshot < (selectDeletedThrough.get(siteId) ?? 0)) return false
        const replacedAt = selectReplacedAt.get(siteId, snapshot)
        return replacedAt === undefined || store.clock.now() - Date.parse(replacedAt) <= graceMs
      }),
    listRetired: (beforeMs) =>
      store.read(() => selectRetired.all(beforeMs === undefined ? AFTER_ALL : toTimestamp(beforeMs))).map(toRetired),
    listDeleting: () => store.read(() => selectDeleting.all()).map(toRetired),
    markDeleting: (fileIds) => {
      store.write(() => {
        for (const fileId of fileIds) {
          const marked = setDeleting.get(fileId)
          if (marked) raiseDeletedThrough.run(marked.site_id, marked.removed_in)
          else setDeletingOfDeleted.run(fileId)
        }
      })
    },
    endFuture: () => {
      const now = toTimestamp(store.clock.now())
      if ((store.read(() => selectNewestAt.get()) ?? now) <= now) return
      store.write(() => {
        dateSnapshotsBack.run(now, now)
        for (const dateBack of dateRetiredBack) dateBack.run(now, now)
      })
    },
    forgetFiles: (fileIds) => {
      store.write(() => {
        for (const fileId of fileIds) for (const deleteOne of deleteFile) deleteOne.run(fileId)
      })
    },
    allKnownPaths: () => new Set(store.read(() => selectPaths.all())),
    pin: (token, snapshot) => {
      if (store.isAlone) return
      store.write(() => upsertPin.run(token, snapshot))
    },
    unpin: (token) => {
      try {
        store.write(() => deletePin.run(token))
      } catch {
        // Forgotten with the pins of the dead.
      }
    },
    oldestPinned: (isAlive) => {
      const pins = Map.groupBy(
        store.read(() => selectPins.all()),
        ({ token }) => isAlive(token),
      )
      const left = pins.get(false) ?? []
      if (left.length > 0) store.write(() => left.forEach(({ token }) => deletePin.run(token)))
      return pins.get(true)?.[0]?.snapshot
    },
    totals: (siteId) =>
      store.read(() => ({
        live: selectTotals.all({ siteId: siteId ?? null }),
        retired: selectRetiredTotal.get({ siteId: siteId ?? null }) ?? { files: 0, bytes: 0 },
      })),
  }
}
