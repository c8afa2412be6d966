import type { SessionHolder, User } from '../../domain/user.ts'
import type { ApiError } from '../../errors.ts'
import { VERSION } from '../../version.ts'
import type { UiContext } from './ui-endpoint.ts'

/** How somebody showed who they are. */
export type Way = 'password' | 'openid' | 'invitation' | 'reset' | 'sign_in'

interface Entrance {
  readonly by: Way
  /** They showed it just now, so that they may change keys and members. */
  readonly isConfirmed: boolean
  /** Hash of the session that the browser had before, where it may not have sent its cookie. */
  readonly before?: Buffer | undefined
  /** Says who comes, inside the transaction; undefined for somebody who may not. */
  readonly admit: () => { readonly user: User; readonly detail?: Readonly<Record<string, unknown>> } | undefined
}

/**
 * Begins a session with a value that only the server chose, and ends the one that the browser had. Undefined when nobody is
 * admitted, or somebody who was revoked meanwhile.
 */
export async function enter(
  { app, client, holder }: Pick<UiContext, 'app' | 'client' | 'holder'>,
  { by, isConfirmed, before, admit }: Entrance,
): Promise<{ readonly holder: SessionHolder; readonly value: string } | undefined> {
  const { audit, sessions, users, organizations } = app.catalog
  const change = () => {
    const admitted = admit()
    if (admitted === undefined || admitted.user.revokedAt !== null) return undefined
    const { id, mail, organizationId } = admitted.user
    if (holder !== undefined) sessions.end(holder.session.id)
    if (before !== undefined) sessions.endByHash(before)
    users.setLastSignIn(id)
    const { session, value } = sessions.open(id, { address: client.address, client: client.name, isConfirmed })
    const detail = { by, address: client.address, ...admitted.detail }
    audit.record({ organizationId, actor: mail, action: 'session.begin', subject: session.id, detail })
    return { holder: { session, user: admitted.user, organization: organizations.get(organizationId) }, value }
  }
  return app.catalog.whenFree(() => app.catalog.transaction(change))
}

/** As `enter`, and the answer carries the cookie. Throws the refusal when nobody is admitted. */
export async function enterWithCookie(context: UiContext, entrance: Entrance, refusal: ApiError) {
  const entered = await enter(context, entrance)
  if (entered === undefined) throw refusal
  context.setSession(entered.value)
  return { data: presentMe(entered.holder) }
}

/** Who is signed in, as `Me` of operations/me.ts has it. */
export function presentMe({ user, organization }: SessionHolder) {
  return {
    user: { id: user.id, mail: user.mail, role: user.role },
    organization: { id: organization.id, name: organization.name, plan: organization.plan },
    has_password: user.hasPassword,
    version: VERSION,
  }
}
