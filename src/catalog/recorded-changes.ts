import { toTimestamp } from '../clock.ts'
import { newId } from '../ids.ts'
import { IMPORT_KINDS, type RecordedChange, type RecordedKind } from '../domain/recorded-change.ts'
import { WriteConflictError } from './write-conflict.ts'
import type { Store } from './store.ts'

export interface NewRecordedChange extends Omit<RecordedChange, 'id' | 'actor' | 'undoneBy' | 'createdAt'> {
  /** Made unless given. */
  readonly id?: string
  /** What taking an import back needs, as JSON; undefined for what can't be taken back. */
  readonly undo?: unknown
}

/** What imports, undos, deletions and retention did, with who did it and when (contract/imports 3.1). */
export interface RecordedChanges {
  /** Notes a change inside its commit, under the catalog's actor. */
  record(change: NewRecordedChange): void
  /** Newest first. */
  list(query?: RecordedChangeQuery): RecordedChange[]
  find(id: string): RecordedChange | undefined
  /** What `record` was given as `undo`; null when that was nothing. */
  findUndo(id: string): unknown
  /** Of a site's imports of a kind that can be taken back, newest first. */
  listUndos(siteId: string, kind: RecordedKind): { readonly id: string; readonly undo: unknown }[]
  /** Inside the undo's commit. Throws WriteConflictError when another undo came first, or what it needs was dropped. */
  markUndone(id: string, undoneBy: string): void
  /** Drops what log imports before the time kept for an undo, with the checkpoints that they gave up. */
  forgetLogUndos(before: string): void
  /** Forgets all of a site, for its deletion. */
  removeSite(siteId: string): void
}

export interface RecordedChangeQuery {
  /** Without it those of all sites, also of sites that are gone. */
  readonly siteId?: string | null
  /** Every kind; without it imports alone. */
  readonly all?: boolean
  /** Leaves out imports that were taken back. */
  readonly isStanding?: boolean
  readonly limit?: number
}

interface ChangeRow extends Omit<RecordedChange, 'result'> {
  readonly result: string
}

export function openRecordedChanges(store: Store, actor: string): RecordedChanges {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO recorded_changes (id, site_id, kind, snapshot, actor, result, undo, created_at)
    VALUES (@id, @siteId, @kind, @snapshot, @actor, @result, @undo, @createdAt)`)
  const columns = 'id, site_id AS siteId, kind, snapshot, actor, result, undone_by AS undoneBy, created_at AS createdAt'
  const imports = IMPORT_KINDS.map((kind) => `'${kind}'`).join(', ')
  const select = db.prepare<[object], ChangeRow>(`
    SELECT ${columns} FROM recorded_changes
    WHERE (@siteId IS NULL OR site_id = @siteId) AND (@all = 1 OR kind IN (${imports}))
      AND (@isStanding = 0 OR undone_by IS NULL)
    ORDER BY seq DESC LIMIT @limit`)
  const selectById = db.prepare<[string], ChangeRow>(`SELECT ${columns} FROM recorded_changes WHERE id = ?`)
  const selectUndo = db.prepare<[string], string | null>('SELECT undo FROM recorded_changes WHERE id = ?').pluck()
  const selectUndos = db.prepare<[string, string], { id: string; undo: string }>(
    'SELECT id, undo FROM recorded_changes WHERE site_id = ? AND kind = ? AND undo IS NOT NULL ORDER BY seq DESC',
  )
  const setUndone = db.prepare<[string, string]>(
    'UPDATE recorded_changes SET undone_by = ?, undo = NULL WHERE id = ? AND undone_by IS NULL AND undo IS NOT NULL',
  )
  const dropLogUndos = db.prepare<[string]>(
    `UPDATE recorded_changes SET undo = NULL WHERE kind = 'import_logs' AND undo IS NOT NULL AND created_at < ?`,
  )
  const selectOldUndo = db.prepare<[string]>(
    `SELECT 1 FROM recorded_changes WHERE kind = 'import_logs' AND undo IS NOT NULL AND created_at < ?`,
  )
  const dropGivenUp = db.prepare<[]>(`
    DELETE FROM log_checkpoints WHERE given_up_by IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM recorded_changes
      WHERE recorded_changes.site_id = log_checkpoints.site_id AND kind = 'import_logs'
        AND json_extract(undo, '$.importNo') = given_up_by
    )`)
  const deleteOfSite = db.prepare<[string]>('DELETE FROM recorded_changes WHERE site_id = ?')
  const toChange = ({ result, ...row }: ChangeRow): RecordedChange =>
    Object.assign(row, { result: JSON.parse(result) as unknown })

  return {
    record: ({ id = newId('chg', store.clock.now(), store.random), undo, result, ...change }) => {
      const createdAt = toTimestamp(store.clock.now())
      const texts = { result: JSON.stringify(result), undo: undo === undefined ? null : JSON.stringify(undo) }
      store.write(() => insert.run({ id, ...change, ...texts, actor, createdAt }))
    },
    list: ({ siteId = null, all = false, isStanding = false, limit = -1 } = {}) =>
      store.read(() => select.all({ siteId, all: Number(all), isStanding: Number(isStanding), limit })).map(toChange),
    find: (id) => {
      const row = store.read(() => selectById.get(id))
      return row && toChange(row)
    },
    findUndo: (id) => {
      const undo = store.read(() => selectUndo.get(id)) ?? null
      return undo === null ? null : (JSON.parse(undo) as unknown)
    },
    listUndos: (siteId, kind) =>
      store
        .read(() => selectUndos.all(siteId, kind))
        .map(({ id, undo }) => ({ id, undo: JSON.parse(undo) as unknown })),
    markUndone: (id, undoneBy) => {
      store.write(() => {
        if (setUndone.run(undoneBy, id).changes === 0)
          throw new WriteConflictError(
            `The import ${id} was taken back, or its undo window ended, while it was worked on.`,
          )
      })
    },
    forgetLogUndos: (before) => {
      // Looked at first: upkeep asks often, and hardly ever has to write.
      if (store.read(() => selectOldUndo.get(before)) === undefined) return
      store.write(() => {
        dropLogUndos.run(before)
        dropGivenUp.run()
      })
    },
    removeSite: (siteId) => void store.write(() => deleteOfSite.run(siteId)),
  }
}
