import { createHash } from 'node:crypto'
import { systemRandom, type Random } from '../ids.ts'
import { MAIL_CHARACTERS_MAX, PASSWORD_CONFIRMED_MS, SESSION_IDLE_MS, SESSION_MS_MAX } from '../people-limits.ts'
import type { Organization } from './organization.ts'

export const ROLES = ['owner', 'member'] as const
/** An owner also changes keys and members, reads the audit and starts scans; a member does the rest. */
export type Role = (typeof ROLES)[number]

/** A person of one organization who may sign in to the dashboard. Timestamps are ISO 8601 UTC with milliseconds. */
export interface User {
  readonly id: string
  readonly organizationId: string
  /** As `toMail` gives it; no two users who aren't revoked have the same. */
  readonly mail: string
  readonly role: Role
  readonly createdAt: string
  /** Null of somebody who was invited and hasn't come. */
  readonly lastSignInAt: string | null
  readonly revokedAt: string | null
  readonly hasPassword: boolean
}

export type UserStatus = 'active' | 'invited' | 'revoked'

/** What a one-time link does: `sign_in` signs in at once, the others set a password first. */
export const LINK_KINDS = ['invitation', 'reset', 'sign_in'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** A browser that is signed in. The value in its cookie is never kept. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly createdAt: string
  readonly lastUsedAt: string
  /** When it ends unless it is used before; moves with each use, up to seven days after its beginning. */
  readonly expiresAt: string
  /** When the password was last typed in this session. */
  readonly confirmedAt: string | null
  readonly address: string | null
  /** What the browser calls itself, cut. */
  readonly client: string
}

/** Who uses the dashboard: a session that is valid, with its user and organization as they are at this moment. */
export interface SessionHolder {
  readonly session: Session
  readonly user: User
  readonly organization: Organization
}

/** Who changed what, and when. */
export interface AuditEntry {
  readonly id: string
  readonly at: string
  /** Null of what belongs to no organization, such as a key of the operator. */
  readonly organizationId: string | null
  /** The mail address of somebody in the dashboard, the id of a key, or of a command the user of the operating system. */
  readonly actor: string
  /** Such as `key.create`. */
  readonly action: string
  /** What was changed: an id. */
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

const MAIL = /^[^\s@\p{Cc}\p{Cf}"<>(),;:\\[\]]+@[^\s@\p{Cc}\p{Cf}"<>(),;:\\[\]]+$/u

/** The address in the one form that is kept and compared: NFC, trimmed, in lower case; undefined for what is no address. */
export function toMail(given: string): string | undefined {
  const mail = given.normalize('NFC').trim().toLowerCase()
  return mail.length <= MAIL_CHARACTERS_MAX && MAIL.test(mail) ? mail : undefined
}

const SECRET = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits as 43 characters of base64url: the value of a session's cookie, or what stands behind a link's `#`. */
export function newSecret(random: Random = systemRandom): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** What is kept of a secret, SHA-256 of its characters; undefined for what has not the shape of one. */
export function toSecretHash(secret: string): Buffer | undefined {
  return SECRET.test(secret) ? createHash('sha256').update(secret).digest() : undefined
}

/** `invited` is somebody who has neither a password nor ever signed in. */
export function userStatus(user: Pick<User, 'hasPassword' | 'lastSignInAt' | 'revokedAt'>): UserStatus {
  if (user.revokedAt !== null) return 'revoked'
  return user.hasPassword || user.lastSignInAt !== null ? 'active' : 'invited'
}

/** When a session ends that is not used again; ISO 8601. */
export function sessionEnd(createdAt: string, lastUsedAt: string): string {
  const endMs = Math.min(Date.parse(createdAt) + SESSION_MS_MAX, Date.parse(lastUsedAt) + SESSION_IDLE_MS)
  return new Date(endMs).toISOString()
}

/** Until when the session may change keys and members; null when the password was typed too long ago, or never. */
export function confirmedUntil({ confirmedAt }: Pick<Session, 'confirmedAt'>, nowMs: number): string | null {
  if (confirmedAt === null) return null
  const untilMs = Date.parse(confirmedAt) + PASSWORD_CONFIRMED_MS
  return nowMs < untilMs ? new Date(untilMs).toISOString() : null
}
