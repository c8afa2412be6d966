import type { SessionHolder } from '../../domain/user.ts'
import type { Context } from '../context.ts'
import type { AnyEndpoint, Operation, Schema } from '../endpoint.ts'

/** What an operation of the dashboard may use beside what every operation may. */
export interface UiContext extends Context {
  /** Who is signed in; throws on a public operation. */
  readonly caller: SessionHolder
  /** Who is signed in, if anybody, on a public operation too. */
  readonly holder: SessionHolder | undefined
  /** Where the browser is: its address, null when it is unknown, and what it calls itself. */
  readonly client: { readonly address: string | null; readonly name: string }
  /** The origin that the browser sees, `https://lake.acme.com`; undefined where signing in isn't allowed (contract/dashboard 3). */
  readonly origin: string | undefined
  /** Sends a session's value as the cookie of this answer; null takes the cookie away. */
  readonly setSession: (value: string | null) => void
}

/**
 * One operation of the dashboard, under `/ui/v1`. Routing, checks and validation are those of the API's endpoints, and the
 * table in `docs/security.md` and the tests that all must pass are made from the list (ui-endpoints.ts).
 */
export interface UiEndpoint<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Schema,
> extends Operation<P, Q, B, R, UiContext> {
  readonly path: `/ui/v1/${string}`
  /** `public` needs no session, `member` one of whatever role, `owner` one of an owner. */
  readonly access: 'public' | 'member' | 'owner'
  /** The password must have been typed within the last 10 minutes. */
  readonly confirmsPassword?: true
  /** Changes nothing, whatever its method, and so counts against nobody's changes. */
  readonly isReading?: true
  /** What it does, for the table: begins with a capital, without a full stop. */
  readonly summary: string
}

export type AnyUiEndpoint = UiEndpoint<Schema | undefined, Schema | undefined, Schema | undefined, Schema>

/** Gives the definition its types; it comes back as it is. */
export function defineUiEndpoint<
  R extends Schema,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(endpoint: UiEndpoint<P, Q, B, R>): UiEndpoint<P, Q, B, R> {
  return endpoint
}

/** An endpoint of the API for those who are signed in: every member may do what keys may. */
export function toUiEndpoint({ path, access, ...endpoint }: AnyEndpoint): AnyUiEndpoint {
  return { ...endpoint, path: `/ui${path}`, access: 'member', ...(access === 'read' ? { isReading: true } : {}) }
}
