import { toTimestamp } from '../clock.ts'
import { type LinkKind, newSecret, toSecretHash, type User } from '../domain/user.ts'
import { LINK_MS } from '../people-limits.ts'
import type { Store } from './store.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-rows.ts'

/** The secret of a one-time link, shown once; only its SHA-256 is stored. */
export interface NewLink {
  readonly secret: string
  readonly expiresAt: string
}

export interface FoundLink {
  readonly user: User
  readonly kind: LinkKind
  readonly expiresAt: string
}

/** One-time links, at most one a user. Inside a transaction of the caller. */
export interface Links {
  /** A new link, which puts out the user's last one. */
  create(user: Pick<User, 'id' | 'organizationId'>, kind: LinkKind): NewLink
  /** Undefined for a text that is no link's, one that expired or was used, and one of a user who was revoked. */
  find(secret: string): FoundLink | undefined
  /** Puts out what the user has. */
  remove(userId: string): void
}

interface LinkRow {
  readonly kind: LinkKind
  readonly expires_at: string
}

export function openLinks(store: Store): Links {
  const { db } = store
  const insert = db.prepare<[object]>(`
    INSERT INTO links (sha256, user_id, organization_id, kind, created_at, expires_at)
    VALUES (@sha256, @userId, @organizationId, @kind, @createdAt, @expiresAt)`)
  const select = db.prepare<[Buffer, string], UserRow & LinkRow>(`
    SELECT ${USER_COLUMNS}, links.kind, links.expires_at
    FROM links JOIN users ON users.id = links.user_id
    WHERE sha256 = ? AND expires_at > ? AND revoked_at IS NULL`)
  const removeOf = db.prepare<[string]>('DELETE FROM links WHERE user_id = ?')
  const removeExpired = db.prepare<[string]>('DELETE FROM links WHERE expires_at <= ?')
  return {
    create(user, kind) {
      const nowMs = store.clock.now()
      const secret = newSecret(store.random)
      const link = { secret, expiresAt: toTimestamp(nowMs + LINK_MS) }
      removeExpired.run(toTimestamp(nowMs))
      removeOf.run(user.id)
      insert.run({
        sha256: toSecretHash(secret),
        userId: user.id,
        organizationId: user.organizationId,
        kind,
        createdAt: toTimestamp(nowMs),
        expiresAt: link.expiresAt,
      })
      return link
    },
    find(secret) {
      const hash = toSecretHash(secret)
      const row = hash && select.get(hash, toTimestamp(store.clock.now()))
      return row && { user: toUser(row), kind: row.kind, expiresAt: row.expires_at }
    },
    remove: (userId) => void removeOf.run(userId),
  }
}
