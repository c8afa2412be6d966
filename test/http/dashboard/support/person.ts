import type { Role, Session, User } from '../../../../src/domain/user.ts'
import type { TestService } from '../../../support/http.ts'

/** Somebody who is signed in. */
export interface Person {
  readonly user: User
  readonly session: Session
  /** What a browser sends from a page of the dashboard. */
  readonly headers: { readonly cookie: string; readonly origin: string; readonly 'sec-fetch-site': string }
}

interface Wanted {
  readonly organizationId: string
  readonly role: Role
  readonly isConfirmed?: boolean
  /** As it is stored (sign-in/password.ts); none that anybody could type unless given. */
  readonly password?: string
  readonly mail?: string
}

let people = 0

/** Invites somebody, lets them accept, and opens a session as signing in would; `isConfirmed` as if the password was just typed. */
export function signIn(
  { app: { catalog }, url }: Pick<TestService, 'app' | 'url'>,
  { organizationId, role, isConfirmed = true, password = 'scrypt$none', mail = `person-${++people}@acme.com` }: Wanted,
): Person {
  const { secret } = catalog.users.invite({ organizationId, mail, role, inviter: 'test' })
  const user = catalog.users.accept(secret, password)
  if (user === undefined) throw new Error('the invitation is gone')
  const { session, value } = catalog.sessions.open(user.id, { address: '127.0.0.1', client: 'test', isConfirmed })
  return {
    user,
    session,
    headers: { cookie: `__Host-answerlake=${value}`, origin: url, 'sec-fetch-site': 'same-origin' },
  }
}
