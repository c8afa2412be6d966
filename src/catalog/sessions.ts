import { toTimestamp } from '../clock.ts'
import { newSecret, type Session, sessionEnd, type SessionHolder, toSecretHash } from '../domain/user.ts'
import { newId } from '../ids.ts'
import {
  CLIENT_CHARACTERS_MAX,
  SESSION_CACHE_ENTRIES_MAX,
  SESSION_IDLE_MS,
  SESSION_MS_MAX,
  SESSIONS_PER_USER_MAX,
} from '../people-limits.ts'
import { keepHolders } from './holder-cache.ts'
import { openLastUses } from './last-uses.ts'
import { ORGANIZATION_COLUMNS, type OrganizationRow, toOrganization } from './organizations.ts'
import type { Store } from './store.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-rows.ts'

export interface NewSession {
  /** The client's address; null when it isn't known. */
  readonly address: string | null
  /** Its `User-Agent`. */
  readonly client: string
  /** The password was typed for it, so that it may change keys and members for a while. */
  readonly isConfirmed?: boolean
}

export interface Sessions {
  /**
   * A new session of a user who isn't revoked. `value` is for the cookie, returned here and never again; only its SHA-256 is
   * stored.
   */
  open(userId: string, given: NewSession): { session: Session; value: string }
  /**
   * The session with its user and organization when the value is one that is valid; undefined for every other cause alike, a
   * revoked user among them. Served from memory while the catalog stays unchanged.
   */
  authenticate(value: string): SessionHolder | undefined
  /** Notes in memory that the session was used now. */
  touch(id: string): void
  /** Writes the noted uses in one transaction. Keeps them for later when the disk is full or another process is writing. */
  flushLastUsed(): void
  /** Valid ones of a user, the one used last first. */
  list(userId: string): Session[]
  /** Ends a session, with the next request of every running server; false when there was none. */
  end(id: string): boolean
  /** Ends the session whose value has this hash (`toSecretHash`), as `end` does. */
  endByHash(hash: Buffer): boolean
  /** Ends all of a user but the one named; gives their number. */
  endOf(userId: string, except?: string): number
  /** Ends all of everybody and puts out all links: in a copy of the catalog they could be used a second time. */
  endAll(): void
  /** Notes that the password was typed now. */
  confirm(id: string): void
}

interface SessionRow {
  readonly session_id: string
  readonly session_user_id: string
  readonly session_created_at: string
  readonly last_used_at: string
  readonly confirmed_at: string | null
  readonly address: string | null
  readonly client: string
}

const COLUMNS = `
  sessions.id AS session_id, sessions.user_id AS session_user_id, sessions.created_at AS session_created_at,
  last_used_at, confirmed_at, address, client`

export function openSessions(store: Store): Sessions {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO sessions
      (id, sha256, user_id, organization_id, created_at, last_used_at, confirmed_at, address, client)
    SELECT @id, @sha256, id, organization_id, @at, @at, @confirmedAt, @address, @client
    FROM users WHERE id = @userId AND revoked_at IS NULL`)
  const selectById = db.prepare<[string], SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`)
  const selectOf = db.prepare<[string], SessionRow>(
    `SELECT ${COLUMNS} FROM sessions WHERE user_id = ? ORDER BY last_used_at DESC, id DESC`,
  )
  const selectHolder = db.prepare<[Buffer], SessionRow & UserRow & OrganizationRow>(`
    SELECT ${COLUMNS}, ${USER_COLUMNS}, ${ORGANIZATION_COLUMNS}
    FROM sessions
    JOIN users ON users.id = sessions.user_id
    JOIN organizations ON organizations.id = users.organization_id
    WHERE sha256 = ? AND revoked_at IS NULL`)
  const setConfirmed = db.prepare<[string, string]>('UPDATE sessions SET confirmed_at = ? WHERE id = ?')
  const remove = db.prepare<[string]>('DELETE FROM sessions WHERE id = ?')
  const removeByHash = db.prepare<[Buffer]>('DELETE FROM sessions WHERE sha256 = ?')
  const removeOf = db.prepare<[string, string]>('DELETE FROM sessions WHERE user_id = ? AND id <> ?')
  const removeExpired = db.prepare<[string, string]>('DELETE FROM sessions WHERE last_used_at <= ? OR created_at <= ?')
  const removeEldest = db.prepare<[string, number]>(`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE user_id = ? ORDER BY last_used_at DESC, id DESC LIMIT -1 OFFSET ?
    )`)

  const uses = openLastUses(store, 'sessions')
  /** As it is with the uses that are only noted in memory. */
  const withUse = (session: Session): Session => {
    const usedMs = uses.find(session.id)
    if (usedMs === undefined) return session
    const lastUsedAt = toTimestamp(Math.max(usedMs, Date.parse(session.lastUsedAt)))
    return { ...session, lastUsedAt, expiresAt: sessionEnd(session.createdAt, lastUsedAt) }
  }
  const isValid = ({ expiresAt }: Session): boolean => store.clock.now() < Date.parse(expiresAt)

  const findHolder = keepHolders(store, SESSION_CACHE_ENTRIES_MAX, (hash): SessionHolder | undefined => {
    const row = store.read(() => selectHolder.get(hash))
    return row && { session: toSession(row), user: toUser(row), organization: toOrganization(row) }
  })

  return {
    open: (userId, { address, client, isConfirmed = false }) =>
      store.write(() => {
        const nowMs = store.clock.now()
        const at = toTimestamp(nowMs)
        const value = newSecret(store.random)
        const id = newId('ses', nowMs, store.random)
        removeExpired.run(toTimestamp(nowMs - SESSION_IDLE_MS), toTimestamp(nowMs - SESSION_MS_MAX))
        insert.run({
          id,
          sha256: toSecretHash(value),
          userId,
          at,
          confirmedAt: isConfirmed ? at : null,
          address,
          client: Array.from(client).slice(0, CLIENT_CHARACTERS_MAX).join(''),
        })
        removeEldest.run(userId, SESSIONS_PER_USER_MAX)
        const row = selectById.get(id)
        if (!row) throw new Error(`a session was opened for ${userId}, who is no user or was revoked`)
        return { session: toSession(row), value }
      }),
    authenticate(value) {
      const hash = toSecretHash(value)
      const holder = hash && findHolder(hash)
      if (!holder) return undefined
      const session = withUse(holder.session)
      return isValid(session) ? { ...holder, session } : undefined
    },
    touch: (id) => uses.touch(id),
    flushLastUsed: () => uses.flush(),
    list: (userId) =>
      store
        .read(() => selectOf.all(userId))
        .map((row) => withUse(toSession(row)))
        .filter(isValid),
    end: (id) => store.write(() => remove.run(id).changes > 0),
    endByHash: (hash) => store.write(() => removeByHash.run(hash).changes > 0),
    endOf: (userId, except = '') => store.write(() => removeOf.run(userId, except).changes),
    endAll: () => store.write(() => void db.exec('DELETE FROM sessions; DELETE FROM links')),
    confirm: (id) => void store.write(() => setConfirmed.run(toTimestamp(store.clock.now()), id)),
  }
}

function toSession(row: SessionRow): Session {
  return {
    id: row.session_id,
    userId: row.session_user_id,
    createdAt: row.session_created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: sessionEnd(row.session_created_at, row.last_used_at),
    confirmedAt: row.confirmed_at,
    address: row.address,
    client: row.client,
  }
}
