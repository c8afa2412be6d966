import { toTimestamp } from '../clock.ts'
import type { Snapshot } from '../domain/manifest.ts'
import type { RetiredFile } from './manifest-rows.ts'
import type { Store } from './store.ts'

/** A publication of the lake into a directory. */
export interface Publication {
  /** From 1, over all directories; never used again. */
  readonly no: number
  readonly directory: string
  /** The lake's snapshot whose files it names. */
  readonly snapshot: Snapshot
  /** How long replaced files outlast it, and how long what was deleted outlasts the deletion. */
  readonly graceMs: number
  readonly begunAt: string
  readonly replacedAt: string | null
}

export interface Publications {
  /**
   * A new publication with a number above `after`, which a catalog from a backup may not know any more. From now on the
   * files of the snapshot are kept.
   */
  begin(given: Pick<Publication, 'directory' | 'snapshot' | 'graceMs'> & { readonly after: number }): number
  /** Forgets a publication that nobody can have seen. */
  cancel(no: number): void
  /** Notes that this one has taken the place of all earlier ones of its directory. */
  complete(no: number): void
  /** Notes that the directory has no publication any more. Their files are kept for the grace. */
  end(directory: string): void
  /** In the order of their numbers, of one directory or of all. */
  list(directory?: string): Publication[]
  /**
   * Tells which replaced files publications still need. A current one keeps its files, a replaced one for its grace. But
   * where rows of the site were deleted since a file was replaced, the file may hold them: it is kept for the grace after the
   * deletion, and with `sparesDeleted` not at all.
   */
  toHeld(options: { readonly sparesDeleted: boolean }): (file: RetiredFile) => boolean
}

interface PublicationRow {
  readonly publication_no: number
  readonly directory: string
  readonly snapshot: number
  readonly grace_ms: number
  readonly begun_at: string
  readonly replaced_at: string | null
}

/** Kinds of changes that take rows out for good. */
const DELETIONS = `('undo', 'replace_answers', 'delete_answers', 'delete_logs', 'retention', 'delete_site')`

export function openPublications(store: Store): Publications {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO publications (publication_no, directory, snapshot, grace_ms, begun_at)
    VALUES (
      1 + max(@after, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'publications'), 0)),
      @directory, @snapshot, @graceMs, @at
    )`)
  const remove = db.prepare<[number]>('DELETE FROM publications WHERE publication_no = ?')
  const replaceEarlier = db.prepare<[object]>(`
    UPDATE publications SET replaced_at = @at
    WHERE replaced_at IS NULL AND publication_no < @no
      AND directory = (SELECT directory FROM publications WHERE publication_no = @no)`)
  const replaceAll = db.prepare<[string, string]>(
    'UPDATE publications SET replaced_at = ? WHERE replaced_at IS NULL AND directory = ?',
  )
  const select = db.prepare<[object], PublicationRow>(`
    SELECT * FROM publications WHERE @directory IS NULL OR directory = @directory ORDER BY publication_no`)
  const selectDeletedAt = db
    .prepare<[string, number], string>(
      `SELECT created_at FROM snapshots WHERE site_id = ? AND id >= ? AND kind IN ${DELETIONS} ORDER BY id LIMIT 1`,
    )
    .pluck()
  const now = (): string => toTimestamp(store.clock.now())
  const list = (directory?: string): Publication[] =>
    store.read(() => select.all({ directory: directory ?? null })).map(toPublication)

  return {
    begin: (given) => store.write(() => Number(insert.run({ ...given, at: now() }).lastInsertRowid)),
    cancel: (no) => void store.write(() => remove.run(no)),
    complete: (no) => void store.write(() => replaceEarlier.run({ no, at: now() })),
    end: (directory) => void store.write(() => replaceAll.run(now(), directory)),
    list,
    toHeld({ sparesDeleted }) {
      const nowMs = store.clock.now()
      const isOver = (at: string | null | undefined, graceMs: number): boolean =>
        at !== null && at !== undefined && nowMs - Date.parse(at) >= graceMs
      const holding = list().filter(({ replacedAt, graceMs }) => !isOver(replacedAt, graceMs))
      return ({ siteId, addedIn, removedIn }) => {
        const naming = holding.filter(({ snapshot }) => addedIn <= snapshot && snapshot < removedIn)
        if (naming.length === 0) return false
        const deletedAt = store.read(() => selectDeletedAt.get(siteId, removedIn))
        if (deletedAt !== undefined && sparesDeleted) return false
        return naming.some(({ graceMs }) => !isOver(deletedAt, graceMs))
      }
    },
  }
}

function toPublication(row: PublicationRow): Publication {
  return {
    no: row.publication_no,
    directory: row.directory,
    snapshot: row.snapshot,
    graceMs: row.grace_ms,
    begunAt: row.begun_at,
    replacedAt: row.replaced_at,
  }
}
