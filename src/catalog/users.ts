import { toTimestamp } from '../clock.ts'
import { type Role, toMail, type User, userStatus } from '../domain/user.ts'
import { ApiError, CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import { USERS_PER_ORGANIZATION_MAX } from '../people-limits.ts'
import { type FoundLink, type NewLink, openLinks } from './links.ts'
import type { Organizations } from './organizations.ts'
import type { Sessions } from './sessions.ts'
import type { Store } from './store.ts'
import { toUser, USER_COLUMNS, type UserRow } from './user-rows.ts'

export interface Invitation {
  readonly organizationId: string
  readonly mail: string
  readonly role: Role
  /** Who invites: a user's mail address, or the system's user. */
  readonly inviter: string
}

export interface LinkedUser extends NewLink {
  readonly user: User
}

/**
 * The people who may sign in. Refusals are CommandErrors, and in the server ApiErrors: `not_found` for an unknown id,
 * `invalid_request` for the rest. An organization keeps an owner who can sign in: the last one is neither revoked nor made a member.
 */
export interface Users {
  /**
   * A new user with a link to set a password; or, for somebody who was invited and hasn't come, a new link and this role. An
   * address belongs to one user who isn't revoked, of all organizations.
   */
  invite(invitation: Invitation): LinkedUser
  /** A new link to set another password. The present one is good until the link is used; that ends all sessions. */
  reset(userId: string): LinkedUser
  /** A link that signs in at once, without a password. */
  createLink(userId: string): NewLink
  /** In the order of creation, of one organization or of all; with those who were revoked. */
  list(organizationId?: string): User[]
  find(id: string): User | undefined
  /** Nobody who was revoked. */
  findByMail(mail: string): User | undefined
  /** The stored form of the password (sign-in/password.ts); null for somebody who has none. */
  findPassword(userId: string): string | null
  /** Ends the user's sessions and links at once, for good; the address may be invited again. Twice changes nothing. */
  revoke(id: string): User
  setRole(id: string, role: Role): User
  /** What `kind` of link a secret is, and whose; undefined when it is none, was used, or expired. */
  findBySecret(secret: string): FoundLink | undefined
  /** Uses an invitation or a reset: stores the password, ends the user's sessions. Undefined as `findBySecret`. */
  accept(secret: string, passwordHash: string): User | undefined
  /** Uses a link that signs in. Undefined as `findBySecret`. */
  useLink(secret: string): User | undefined
  /** Notes that the user signed in now. */
  setLastSignIn(id: string): void
}

export function openUsers(store: Store, parts: { organizations: Organizations; sessions: Sessions }): Users {
  const { organizations, sessions } = parts
  const { db } = store
  const links = openLinks(store)
  const insert = db.prepare<[object]>(`
    INSERT INTO users (id, organization_id, mail, role, inviter, created_at)
    VALUES (@id, @organizationId, @mail, @role, @inviter, @createdAt)`)
  const selectAll = db.prepare<[], UserRow>(`SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`)
  const selectOf = db.prepare<[string], UserRow>(
    `SELECT ${USER_COLUMNS} FROM users WHERE organization_id = ? ORDER BY created_at, id`,
  )
  const selectById = db.prepare<[string], UserRow>(`SELECT ${USER_COLUMNS} FROM users WHERE id = ?`)
  const selectByMail = db.prepare<[string], UserRow>(
    `SELECT ${USER_COLUMNS} FROM users WHERE mail = ? AND revoked_at IS NULL`,
  )
  const selectPassword = db.prepare<[string], string | null>('SELECT password FROM users WHERE id = ?').pluck()
  const setRevoked = db.prepare<[string, string]>(
    'UPDATE users SET revoked_at = ?, password = NULL WHERE id = ? AND revoked_at IS NULL',
  )
  const setRole = db.prepare<[Role, string]>('UPDATE users SET role = ? WHERE id = ?')
  const setPassword = db.prepare<[string, string]>('UPDATE users SET password = ? WHERE id = ?')
  const setLastSignIn = db.prepare<[string, string]>('UPDATE users SET last_sign_in_at = ? WHERE id = ?')
  const countOwners = db
    .prepare<[string], number>(`
      SELECT count(*) FROM users
      WHERE organization_id = ? AND role = 'owner' AND revoked_at IS NULL
        AND (password IS NOT NULL OR last_sign_in_at IS NOT NULL)`)
    .pluck()
  const countUsers = db
    .prepare<[string], number>('SELECT count(*) FROM users WHERE organization_id = ? AND revoked_at IS NULL')
    .pluck()

  const refusal = (message: string): Error =>
    store.mode === 'server' ? new ApiError('invalid_request', message) : new CommandError(message)

  function get(id: string): User {
    const row = selectById.get(id)
    if (row) return toUser(row)
    throw store.mode === 'server'
      ? new ApiError('not_found', 'There is no such user.')
      : new CommandError(`There is no user "${id}". \`answerlake users list\` shows them.`)
  }

  function getActive(id: string): User {
    const user = get(id)
    if (user.revokedAt !== null) throw refusal(`${user.mail} was revoked. Invite the address again.`)
    return user
  }

  function refuseLastOwner(user: User, what: string): void {
    if (user.role !== 'owner' || userStatus(user) !== 'active' || (countOwners.get(user.organizationId) ?? 0) > 1)
      return
    throw refusal(
      `${user.mail} is the only owner who can sign in, and cannot be ${what}. Make somebody else an owner first.`,
    )
  }

  /** The user of an invitation: a new one, or one who was invited before and hasn't come. */
  function findInvited({ organizationId, mail, role, inviter }: Invitation): User {
    const address = toMail(mail)
    if (address === undefined) throw refusal(`"${mail}" is no mail address.`)
    const organization = organizations.get(organizationId)
    const row = selectByMail.get(address)
    const known = row && toUser(row)
    if (known && known.organizationId !== organization.id) throw refusal(`${address} cannot be invited.`)
    if (known && userStatus(known) !== 'invited') throw refusal(`${address} is a user already.`)
    if (known) {
      setRole.run(role, known.id)
      return get(known.id)
    }
    if ((countUsers.get(organization.id) ?? 0) >= USERS_PER_ORGANIZATION_MAX) {
      throw refusal(`An organization has at most ${USERS_PER_ORGANIZATION_MAX} users. Revoke some first.`)
    }
    const nowMs = store.clock.now()
    const id = newId('usr', nowMs, store.random)
    insert.run({
      id,
      organizationId: organization.id,
      mail: address,
      role,
      inviter,
      createdAt: toTimestamp(nowMs),
    })
    return get(id)
  }

  /** Puts out the link and notes the sign-in that it is good for. */
  function use(user: User): User {
    links.remove(user.id)
    setLastSignIn.run(toTimestamp(store.clock.now()), user.id)
    return get(user.id)
  }

  return {
    invite: (invitation) =>
      store.write(() => {
        const user = findInvited(invitation)
        return { user, ...links.create(user, 'invitation') }
      }),
    reset: (id) =>
      store.write(() => {
        const user = getActive(id)
        return { user, ...links.create(user, userStatus(user) === 'invited' ? 'invitation' : 'reset') }
      }),
    createLink: (id) => store.write(() => links.create(getActive(id), 'sign_in')),
    list: (organizationId) =>
      store.read(() => (organizationId === undefined ? selectAll.all() : selectOf.all(organizationId))).map(toUser),
    find: (id) => {
      const row = store.read(() => selectById.get(id))
      return row && toUser(row)
    },
    findByMail: (given) => {
      const mail = toMail(given)
      const row = mail === undefined ? undefined : store.read(() => selectByMail.get(mail))
      return row && toUser(row)
    },
    findPassword: (id) => store.read(() => selectPassword.get(id)) ?? null,
    revoke: (id) =>
      store.write(() => {
        const user = get(id)
        refuseLastOwner(user, 'revoked')
        setRevoked.run(toTimestamp(store.clock.now()), id)
        links.remove(id)
        sessions.endOf(id)
        return get(id)
      }),
    setRole: (id, role) =>
      store.write(() => {
        const user = getActive(id)
        if (role === 'member') refuseLastOwner(user, 'made a member')
        setRole.run(role, id)
        return get(id)
      }),
    findBySecret: (secret) => store.read(() => links.find(secret)),
    accept: (secret, passwordHash) =>
      store.write(() => {
        const found = links.find(secret)
        if (!found || found.kind === 'sign_in') return undefined
        setPassword.run(passwordHash, found.user.id)
        sessions.endOf(found.user.id)
        return use(found.user)
      }),
    useLink: (secret) =>
      store.write(() => {
        const found = links.find(secret)
        return found?.kind === 'sign_in' ? use(found.user) : undefined
      }),
    setLastSignIn: (id) => void store.write(() => setLastSignIn.run(toTimestamp(store.clock.now()), id)),
  }
}
