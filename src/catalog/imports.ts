import { toTimestamp } from '../clock.ts'
import type { Store } from './store.ts'

/** How far a log was read: found by the hash of its beginning, proved by the hash of what ends there. */
export interface LogCheckpoint {
  readonly siteId: string
  /** SHA-256, lower-case hex, of the content's first `headBytes` bytes. */
  readonly headSha256: string
  readonly headBytes: number
  /** Content read so far, uncompressed. */
  readonly bytes: number
  /** Of the bytes that end there, LOG_TAIL_BYTES of them, or all. */
  readonly tailSha256: string
  readonly lines: number
  /** What the reader of a format whose lines depend on others goes on with; null for other formats. */
  readonly state: string | null
  /** The number (`import_no` of its hits) of the import that read it to there; null where that was not noted yet. */
  readonly importNo: number | null
}

/** How far a log was read, as it was noted before there were checkpoints: proved by the hash of all `bytes`. */
export interface LogProgress {
  readonly id: number
  readonly headSha256: string
  readonly headBytes: number
  readonly bytes: number
  readonly prefixSha256: string
  readonly lines: number
}

/** A file whose lines were all counted, as it was then. */
export interface LogFile {
  /** Absolute. */
  readonly path: string
  readonly bytes: number
  /** Time of its last change in nanoseconds since 1970, which are more than a number holds. */
  readonly modifiedNs: string
  readonly lines: number
  readonly format: string
  /** Of the import that counted its last line; null where that was not noted yet. */
  readonly importNo: number | null
}

/** What imports of logs note, so that each line is counted once. */
export interface Imports {
  /** In the order in which they were added. */
  listLogCheckpoints(siteId: string): (LogCheckpoint & { readonly id: number })[]
  /** Adds one, or renews it where it is known. Inside the import's commit. */
  addLogCheckpoint(checkpoint: LogCheckpoint): void
  /** Leaves a checkpoint out of the list from now on; the undo of the import brings it back. */
  giveUpLogCheckpoint(id: number, importNo: number): void
  listLogFiles(siteId: string): LogFile[]
  /** Adds a file, or renews it. */
  saveLogFile(siteId: string, file: LogFile): void
  /** What older versions noted and no checkpoint has taken the place of yet. */
  listLogProgress(siteId: string): LogProgress[]
  removeLogProgress(id: number): void
  /** Puts checkpoints and files back to where an import's lines are not counted, inside its undo's commit. */
  undoLogImport(siteId: string, importNo: number): void
}

export function openImports(store: Store): Imports {
  const { db } = store
  const selectCheckpoints = db.prepare<[string], LogCheckpoint & { id: number }>(`
    SELECT id, site_id AS siteId, head_sha256 AS headSha256, head_bytes AS headBytes, bytes, tail_sha256 AS tailSha256,
      lines, state, import_no AS importNo
    FROM log_checkpoints WHERE site_id = ? AND given_up_by IS NULL ORDER BY id`)
  const upsertCheckpoint = db.prepare<[object]>(`
    INSERT INTO log_checkpoints
      (site_id, head_sha256, head_bytes, bytes, tail_sha256, lines, state, import_no, updated_at)
    VALUES (@siteId, @headSha256, @headBytes, @bytes, @tailSha256, @lines, @state, @importNo, @updatedAt)
    ON CONFLICT (site_id, head_sha256, bytes, tail_sha256) DO UPDATE SET
      lines = excluded.lines, state = excluded.state, import_no = excluded.import_no,
      given_up_by = NULL, updated_at = excluded.updated_at`)
  const giveUpCheckpoint = db.prepare<[number, number]>('UPDATE log_checkpoints SET given_up_by = ? WHERE id = ?')
  const deleteCheckpoints = db.prepare<[string, number]>(
    'DELETE FROM log_checkpoints WHERE site_id = ? AND import_no = ?',
  )
  const takeUpCheckpoints = db.prepare<[string, number]>(
    'UPDATE log_checkpoints SET given_up_by = NULL WHERE site_id = ? AND given_up_by = ?',
  )
  const deleteFiles = db.prepare<[string, number]>('DELETE FROM log_files WHERE site_id = ? AND import_no = ?')
  const selectFiles = db.prepare<[string], LogFile>(
    'SELECT path, bytes, modified_ns AS modifiedNs, lines, format, import_no AS importNo FROM log_files WHERE site_id = ?',
  )
  const upsertFile = db.prepare<[object]>(`
    INSERT OR REPLACE INTO log_files (site_id, path, bytes, modified_ns, lines, format, import_no)
    VALUES (@siteId, @path, @bytes, @modifiedNs, @lines, @format, @importNo)`)
  const selectProgress = db.prepare<[string], LogProgress>(`
    SELECT id, head_sha256 AS headSha256, head_bytes AS headBytes, bytes, prefix_sha256 AS prefixSha256, lines
    FROM log_progress WHERE site_id = ? ORDER BY id`)
  const deleteProgress = db.prepare<[number]>('DELETE FROM log_progress WHERE id = ?')
  return {
    listLogCheckpoints: (siteId) => store.read(() => selectCheckpoints.all(siteId)),
    addLogCheckpoint: (checkpoint) => {
      const updatedAt = toTimestamp(store.clock.now())
      store.write(() => upsertCheckpoint.run({ ...checkpoint, updatedAt }))
    },
    giveUpLogCheckpoint: (id, importNo) => void store.write(() => giveUpCheckpoint.run(importNo, id)),
    listLogFiles: (siteId) => store.read(() => selectFiles.all(siteId)),
    saveLogFile: (siteId, file) => void store.write(() => upsertFile.run({ siteId, ...file })),
    listLogProgress: (siteId) => store.read(() => selectProgress.all(siteId)),
    removeLogProgress: (id) => void store.write(() => deleteProgress.run(id)),
    undoLogImport: (siteId, importNo) => {
      store.write(() => {
        deleteCheckpoints.run(siteId, importNo)
        takeUpCheckpoints.run(siteId, importNo)
        deleteFiles.run(siteId, importNo)
      })
    },
  }
}
