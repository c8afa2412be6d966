import { toTimestamp } from '../clock.ts'
import type { AuditEntry } from '../domain/user.ts'
import { newId } from '../ids.ts'
import type { Store } from './store.ts'

export interface NewAuditEntry {
  /** Null for what belongs to no organization. */
  readonly organizationId: string | null
  /**
   * Who made the change: the mail address of somebody who is signed in, or the id of a key. Left out, it is the user of the
   * operating system who runs this process.
   */
  readonly actor?: string
  /** `noun.verb`, such as `key.create`. */
  readonly action: string
  /** What was changed: an id. */
  readonly subject: string
  /** What else is worth knowing. Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface AuditQuery {
  /** Without it the entries of all, also those that belong to none. */
  readonly organizationId?: string | undefined
  /** The id of an entry: those before it. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Who changed what. Entries are added, and go with their organization only. */
export interface Audit {
  /** Notes a change, inside its transaction. */
  record(entry: NewAuditEntry): void
  /** Newest first; nothing before an entry that isn't there, or isn't the organization's. */
  list(query: AuditQuery): AuditEntry[]
}

interface AuditRow extends Omit<AuditEntry, 'detail'> {
  readonly detail: string
}

export function openAudit(store: Store, actor: string): Audit {
  const insert = store.db.prepare<[object]>(`
    INSERT INTO audit (id, organization_id, at, actor, action, subject, detail)
    VALUES (@id, @organizationId, @at, @actor, @action, @subject, @detail)`)
  const selectSeq = store.db
    .prepare<[object], number>(
      'SELECT seq FROM audit WHERE id = @before AND (@organizationId IS NULL OR organization_id = @organizationId)',
    )
    .pluck()
  const columns = 'id, at, organization_id AS organizationId, actor, action, subject, detail'
  const selectAll = store.db.prepare<[object], AuditRow>(
    `SELECT ${columns} FROM audit WHERE seq < @seq ORDER BY seq DESC LIMIT @limit`,
  )
  const selectOf = store.db.prepare<[object], AuditRow>(
    `SELECT ${columns} FROM audit WHERE organization_id = @organizationId AND seq < @seq ORDER BY seq DESC LIMIT @limit`,
  )
  return {
    record: ({ detail = {}, ...entry }) => {
      const nowMs = store.clock.now()
      const id = newId('aud', nowMs, store.random)
      const row = { actor, ...entry, id, at: toTimestamp(nowMs), detail: JSON.stringify(detail) }
      store.write(() => insert.run(row))
    },
    list: ({ organizationId = null, before, limit }) =>
      store
        .read(() => {
          const seq = before === undefined ? Number.MAX_SAFE_INTEGER : (selectSeq.get({ before, organizationId }) ?? 0)
          const query = { organizationId, seq, limit }
          return organizationId === null ? selectAll.all(query) : selectOf.all(query)
        })
        .map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as Record<string, unknown> })),
  }
}
