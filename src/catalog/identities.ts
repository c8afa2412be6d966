import { toTimestamp } from '../clock.ts'
import { type Role, type User, userStatus } from '../domain/user.ts'
import { newId } from '../ids.ts'
import type { Store } from './store.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-rows.ts'

/** Somebody whom an OpenID provider vouches for. */
export interface ProvidedUser {
  readonly organizationId: string
  readonly issuer: string
  readonly subject: string
  /** Verified by the provider, as `toMail` gives it. */
  readonly mail: string
  /** What the provider's groups say; undefined where they say nothing about roles. */
  readonly role: Role | undefined
}

/** `changed` says what is to be noted; empty when nothing was changed but the time of the sign-in. */
export type Admission =
  | { readonly user: User; readonly changed: readonly ('created' | 'linked' | 'role')[] }
  | { readonly refusal: string }

/** Users as OpenID providers know them: by issuer and subject, which outlast a mail address. */
export interface Identities {
  /**
   * The user of an identity, who signs in now. An identity that is new becomes that of the organization's user with the mail
   * address, or a new user. Refused, with a reason for the log: somebody who was revoked, and an address that is another
   * identity's or another organization's. The only owner stays one, whatever the groups say.
   */
  admit(provided: ProvidedUser): Admission
}

interface IdentityRow extends UserRow {
  readonly identity: string | null
}

export function openIdentities(store: Store): Identities {
  const { db } = store
  const columns = `${USER_COLUMNS}, identity`
  // Of several rows the one that isn't revoked.
  const selectByIdentity = db.prepare<[string], IdentityRow>(
    `SELECT ${columns} FROM users WHERE identity = ? ORDER BY revoked_at IS NULL DESC LIMIT 1`,
  )
  const selectByMail = db.prepare<[string], IdentityRow>(
    `SELECT ${columns} FROM users WHERE mail = ? AND revoked_at IS NULL`,
  )
  const selectRevoked = db.prepare<[string, string]>(
    'SELECT 1 FROM users WHERE mail = ? AND organization_id = ? AND revoked_at IS NOT NULL',
  )
  const insert = db.prepare<[object]>(`
    INSERT INTO users (id, organization_id, mail, role, identity, inviter, created_at)
    VALUES (@id, @organizationId, @mail, @role, @identity, @inviter, @at)`)
  const setIdentity = db.prepare<[string, string]>('UPDATE users SET identity = ? WHERE id = ?')
  const removeLinks = db.prepare<[string]>('DELETE FROM links WHERE user_id = ?')
  const setRole = db.prepare<[Role, string]>('UPDATE users SET role = ? WHERE id = ?')
  const setLastSignIn = db.prepare<[string, string]>('UPDATE users SET last_sign_in_at = ? WHERE id = ?')
  const selectById = db.prepare<[string], UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE id = ?`)
  const countOtherOwners = db
    .prepare<[string, string], number>(`
      SELECT count(*) FROM users
      WHERE organization_id = ? AND id <> ? AND role = 'owner' AND revoked_at IS NULL
        AND (password IS NOT NULL OR last_sign_in_at IS NOT NULL)`)
    .pluck()

  /** The user whom the identity is, or becomes. */
  function find(
    provided: ProvidedUser,
    identity: string,
  ): { user: User; changed: 'created' | 'linked' | undefined } | string {
    const { organizationId, mail } = provided
    const known = selectByIdentity.get(identity)
    if (known && known.user_revoked_at === null) {
      return known.user_organization_id === organizationId
        ? { user: toUser(known), changed: undefined }
        : 'the identity is a user of another organization'
    }
    const namesake = selectByMail.get(mail)
    if (namesake) {
      if (namesake.user_organization_id !== organizationId) return 'the address is a user of another organization'
      if (namesake.identity !== null) return 'the address is a user with another identity'
      setIdentity.run(identity, namesake.user_id)
      removeLinks.run(namesake.user_id)
      return { user: toUser(namesake), changed: 'linked' }
    }
    if (known || selectRevoked.get(mail, organizationId) !== undefined) return 'the user was revoked'
    const nowMs = store.clock.now()
    const id = newId('usr', nowMs, store.random)
    const role = provided.role ?? 'member'
    insert.run({ id, organizationId, mail, role, identity, inviter: provided.issuer, at: toTimestamp(nowMs) })
    return { user: get(id), changed: 'created' }
  }

  function get(id: string): User {
    const row = selectById.get(id)
    if (!row) throw new Error('a user that was just read or written is not there')
    return toUser(row)
  }

  /** Gives the role of the groups; false where that is the role already, or would take the last owner. */
  function follow(user: User, role: Role | undefined): boolean {
    if (role === undefined || role === user.role) return false
    const isLastOwner = userStatus(user) === 'active' && countOtherOwners.get(user.organizationId, user.id) === 0
    if (role === 'member' && isLastOwner) return false
    setRole.run(role, user.id)
    return true
  }

  return {
    admit: (provided) =>
      store.write(() => {
        const found = find(provided, JSON.stringify([provided.issuer, provided.subject]))
        if (typeof found === 'string') return { refusal: found }
        const { user, changed } = found
        const isMoved = follow(user, provided.role)
        setLastSignIn.run(toTimestamp(store.clock.now()), user.id)
        return { user: get(user.id), changed: [...(changed ? [changed] : []), ...(isMoved ? (['role'] as const) : [])] }
      }),
  }
}
