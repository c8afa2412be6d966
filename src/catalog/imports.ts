import { toTimestamp } from '../clock.ts'
import type { ChangeKind, Snapshot } from '../domain/manifest.ts'
import type { Store } from './store.ts'

/** One finished import; `result` is what it printed. */
export interface ImportEntry {
  readonly id: string
  readonly siteId: string
  readonly kind: ChangeKind
  readonly snapshot: Snapshot
  readonly result: unknown
  readonly createdAt: string
}

/** How far a log was read, known by its content: the hash of its head finds it, the hash of all that was read proves it. */
export interface LogProgress {
  readonly id: number
  readonly siteId: string
  readonly headSha256: string
  readonly headBytes: number
  /** Bytes read so far, uncompressed, and their hash. */
  readonly bytes: number
  readonly prefixSha256: string
  readonly lines: number
  readonly updatedAt: string
}

export interface Imports {
  /** Notes a finished import, inside its commit. */
  record(entry: Omit<ImportEntry, 'createdAt'>): void
  /** Newest first. */
  list(siteId: string, limit?: number): ImportEntry[]
  /** What was read of logs of the site, of all or of those with the head. */
  listLogProgress(siteId: string, headSha256?: string): LogProgress[]
  /** Adds a log, or with `id` replaces what is known of one. Inside the import's commit. */
  saveLogProgress(progress: Omit<LogProgress, 'id' | 'updatedAt'> & { readonly id?: number | undefined }): void
}

const PROGRESS_COLUMNS = `id, site_id AS siteId, head_sha256 AS headSha256, head_bytes AS headBytes, bytes,
  prefix_sha256 AS prefixSha256, lines, updated_at AS updatedAt`

export function openImports(store: Store): Imports {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO imports (id, site_id, kind, snapshot, result, created_at)
    VALUES (@id, @siteId, @kind, @snapshot, @result, @createdAt)`)
  const selectImports = db.prepare<[string, number], Omit<ImportEntry, 'result'> & { result: string }>(`
    SELECT id, site_id AS siteId, kind, snapshot, result, created_at AS createdAt
    FROM imports WHERE site_id = ? ORDER BY snapshot DESC LIMIT ?`)
  const selectProgress = db.prepare<[string], LogProgress>(
    `SELECT ${PROGRESS_COLUMNS} FROM log_progress WHERE site_id = ? ORDER BY id`,
  )
  const selectProgressByHead = db.prepare<[string, string], LogProgress>(
    `SELECT ${PROGRESS_COLUMNS} FROM log_progress WHERE site_id = ? AND head_sha256 = ? ORDER BY id`,
  )
  const upsertProgress = db.prepare<[object]>(`
    INSERT INTO log_progress (id, site_id, head_sha256, head_bytes, bytes, prefix_sha256, lines, updated_at)
    VALUES (@id, @siteId, @headSha256, @headBytes, @bytes, @prefixSha256, @lines, @updatedAt)
    ON CONFLICT (id) DO UPDATE SET
      head_sha256 = excluded.head_sha256, head_bytes = excluded.head_bytes, bytes = excluded.bytes,
      prefix_sha256 = excluded.prefix_sha256, lines = excluded.lines, updated_at = excluded.updated_at`)
  return {
    record: (entry) => {
      const createdAt = toTimestamp(store.clock.now())
      store.write(() => insert.run({ ...entry, result: JSON.stringify(entry.result), createdAt }))
    },
    list: (siteId, limit = 100) =>
      store
        .read(() => selectImports.all(siteId, limit))
        .map(({ result, ...entry }) => Object.assign(entry, { result: JSON.parse(result) as unknown })),
    listLogProgress: (siteId, headSha256) =>
      store.read(() =>
        headSha256 === undefined ? selectProgress.all(siteId) : selectProgressByHead.all(siteId, headSha256),
      ),
    saveLogProgress: (progress) => {
      const row = { ...progress, id: progress.id ?? null, updatedAt: toTimestamp(store.clock.now()) }
      store.write(() => upsertProgress.run(row))
    },
  }
}
