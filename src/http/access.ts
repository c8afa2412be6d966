import type { KeyHolder } from '../domain/api-key.ts'
import type { SessionHolder } from '../domain/user.ts'
import { ApiError } from '../errors.ts'
import type { AnyOperation } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import type { RateState } from './rate-limit.ts'

/** Whom a request is answered for: the holder of a key under `/v1`, a person who is signed in under `/ui`. */
export type Caller = KeyHolder | SessionHolder

/**
 * Who may use the operations of a mount. Both methods note the caller with the exchange, nobody where none is needed, and
 * throw the ApiError of the first check that fails.
 */
export interface Access<O extends AnyOperation> {
  /** Finds out who calls, counts the request, and sees whether they may do this. */
  admit(exchange: Exchange, operation: O): void
  /** Looks once more when the body has come: what admitted the caller may have ended since. */
  admitAgain(exchange: Exchange, operation: O): void
}

/** Names a caller to the queries' queue: a key, or a person in all their sessions. */
export function callerId(caller: Caller): string {
  return 'key' in caller ? caller.key.id : caller.user.id
}

/** Refuses a request over its limit. `who` begins the sentence, as in `The key has`. */
export function refuseExcess({ exceeded }: RateState, who: string): void {
  if (exceeded === undefined) return
  const retryAfterSeconds = Math.max(1, exceeded.secondsToMore)
  throw new ApiError(
    'rate_limited',
    `${who} used its ${exceeded.limit} ${exceeded.policy} a minute. Try again in ${retryAfterSeconds} s.`,
    { retryAfterSeconds },
  )
}
