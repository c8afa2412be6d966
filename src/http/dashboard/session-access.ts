import type { IncomingMessage } from 'node:http'
import type { Catalog } from '../../catalog/catalog.ts'
import { confirmedUntil, type SessionHolder } from '../../domain/user.ts'
import { ApiError } from '../../errors.ts'
import { UI_PUBLIC_RATE, UI_RATE } from '../../people-limits.ts'
import { type Access, refuseExcess } from '../access.ts'
import type { ServerApp } from '../context.ts'
import type { Exchange } from '../exchange.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { findSessionValue } from './cookie.ts'
import { listOrigins } from './origins.ts'
import type { AnyUiEndpoint } from './ui-endpoint.ts'

/**
 * Access to `/ui/v1`: where the request comes from, session, rate, role and password, in this order (contract/dashboard 4).
 * A key plays no part.
 */
export function createSessionAccess(
  { catalog, clock, config }: Pick<ServerApp, 'catalog' | 'clock' | 'config'>,
  limiter: RateLimiter,
): Access<AnyUiEndpoint> {
  /** Notes who is signed in, which public operations may want to know, too. */
  function recognise(exchange: Exchange): SessionHolder | undefined {
    const holder = findHolder(catalog, exchange.request)
    if (holder === undefined) return undefined
    exchange.caller = holder
    catalog.sessions.touch(holder.session.id)
    return holder
  }

  function authenticate(exchange: Exchange): SessionHolder {
    const holder = recognise(exchange)
    if (holder === undefined) throw new ApiError('not_signed_in', 'Nobody is signed in. Sign in again.')
    return holder
  }

  function requireRight({ user, session }: SessionHolder, { access, confirmsPassword }: AnyUiEndpoint): void {
    if (access === 'owner' && user.role !== 'owner') {
      throw new ApiError('not_allowed', 'Only owners may do this. Ask one of your organization.')
    }
    if (confirmsPassword === true && confirmedUntil(session, clock.now()) === null) {
      throw new ApiError('password_required', 'Type your password once more for this.')
    }
  }

  return {
    admit(exchange, operation) {
      requireOwnOrigin(exchange.request, operation, listOrigins(exchange.request, config.publicUrl))
      const isWrite = isChange(operation)
      if (operation.access === 'public') {
        recognise(exchange)
        exchange.rate = limiter.take(`address ${exchange.client}`, UI_PUBLIC_RATE, isWrite)
        return refuseExcess(exchange.rate, 'This address has')
      }
      const holder = authenticate(exchange)
      exchange.rate = limiter.take(holder.user.id, UI_RATE, isWrite)
      refuseExcess(exchange.rate, 'The user has')
      requireRight(holder, operation)
    },
    admitAgain(exchange, operation) {
      if (operation.access !== 'public') requireRight(authenticate(exchange), operation)
    },
  }
}

/** Who is signed in by the cookie of a request; undefined for nobody. */
export function findHolder(
  { sessions }: Pick<Catalog, 'sessions'>,
  request: IncomingMessage,
): SessionHolder | undefined {
  const value = findSessionValue(request)
  return value === undefined ? undefined : sessions.authenticate(value)
}

/** Reports are asked for with `POST` and change nothing. */
const isChange = ({ method, isReading }: AnyUiEndpoint): boolean => method !== 'GET' && isReading !== true

/**
 * Refuses what another site's page sends, and everything that would carry a session over clear text. Browsers send
 * `Sec-Fetch-Site` with every request, and `Origin` with every change; scripts that send neither can't change anything.
 */
function requireOwnOrigin({ headers }: IncomingMessage, operation: AnyUiEndpoint, origins: readonly string[]): void {
  const isWrite = operation.method !== 'GET'
  const site = headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && !isWrite)
  const isOwnOrigin = isWrite ? origins.includes(headers.origin ?? '') : true
  if (origins.length === 0 && (isWrite || operation.access !== 'public')) {
    throw new ApiError(
      'not_allowed',
      'Without TLS the dashboard can be used on its own machine only. Start the service with --public-url https://… behind a proxy with TLS.',
    )
  }
  if (!isOwnSite || !isOwnOrigin) {
    throw new ApiError('cross_site', "The request does not come from the dashboard's own page. Open it anew.")
  }
}
