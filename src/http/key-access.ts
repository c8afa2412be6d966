import type { IncomingMessage } from 'node:http'
import type { KeyHolder } from '../domain/api-key.ts'
import { mayUseApi } from '../domain/organization.ts'
import { ApiError } from '../errors.ts'
import { type Access, refuseExcess } from './access.ts'
import type { ServerApp } from './context.ts'
import type { AnyEndpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Access to `/v1`: key, plan, rate and permission, in this order (contract/api 2.4). A cookie plays no part. */
export function createKeyAccess({ catalog }: Pick<ServerApp, 'catalog'>, limiter: RateLimiter): Access<AnyEndpoint> {
  function authenticate(exchange: Exchange): KeyHolder {
    const value = findKeyValue(exchange.request)
    const caller = value === undefined ? undefined : catalog.keys.authenticate(value)
    if (caller === undefined) {
      throw new ApiError('invalid_api_key', 'Send a valid API key in the header X-API-Key or Authorization: Bearer.')
    }
    exchange.caller = caller
    catalog.keys.touch(caller.key.id)
    return caller
  }

  function requirePlan(exchange: Exchange, { key, organization }: KeyHolder): void {
    if (mayUseApi(organization)) return
    exchange.rate = limiter.look(key.id, organization)
    throw new ApiError('plan_required', 'The organization needs a live Enterprise plan to use the API.')
  }

  function count(exchange: Exchange, { key, organization }: KeyHolder, { access }: AnyEndpoint): void {
    exchange.rate = limiter.take(key.id, organization, access === 'write')
    refuseExcess(exchange.rate, 'The key has')
  }

  return {
    admit(exchange, endpoint) {
      if (endpoint.access === 'public') return
      const caller = authenticate(exchange)
      requirePlan(exchange, caller)
      count(exchange, caller, endpoint)
      requirePermission(caller, endpoint)
    },
    admitAgain(exchange, endpoint) {
      if (endpoint.access === 'public') return
      const caller = authenticate(exchange)
      requirePlan(exchange, caller)
      requirePermission(caller, endpoint)
    },
  }
}

function requirePermission({ key }: KeyHolder, { access }: AnyEndpoint): void {
  if (access !== 'write' || key.permission === 'write') return
  throw new ApiError('insufficient_permission', 'The key may only read. Use one that may manage prompts.')
}

/** What both headers say; undefined when neither is sent, or when they disagree (contract/api 2.5). */
function findKeyValue({ headersDistinct }: IncomingMessage): string | undefined {
  const bearers = (headersDistinct['authorization'] ?? []).map((header) => /^bearer(?: +(.*))?$/i.exec(header))
  const values = [
    ...(headersDistinct['x-api-key'] ?? []),
    ...bearers.flatMap((match) => (match === null ? [] : [match[1] ?? ''])),
  ].map((value) => value.trim())
  return new Set(values).size === 1 ? values[0] : undefined
}
