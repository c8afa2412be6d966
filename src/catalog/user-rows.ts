import type { Role, User } from '../domain/user.ts'

/** A user as queries give it, and what becomes of it. */
export interface UserRow {
  readonly user_id: string
  readonly user_organization_id: string
  readonly mail: string
  readonly role: Role
  readonly user_created_at: string
  readonly last_sign_in_at: string | null
  readonly user_revoked_at: string | null
  readonly has_password: 0 | 1
}

export const USER_COLUMNS = `
  users.id AS user_id, users.organization_id AS user_organization_id, users.mail, users.role,
  users.created_at AS user_created_at, users.last_sign_in_at, users.revoked_at AS user_revoked_at,
  users.password IS NOT NULL AS has_password`

export function toUser(row: UserRow): User {
  return {
    id: row.user_id,
    organizationId: row.user_organization_id,
    mail: row.mail,
    role: row.role,
    createdAt: row.user_created_at,
    lastSignInAt: row.last_sign_in_at,
    revokedAt: row.user_revoked_at,
    hasPassword: row.has_password === 1,
  }
}
