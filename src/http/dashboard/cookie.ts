import type { IncomingMessage } from 'node:http'
import { PROVIDER_JOURNEY_SECONDS, SESSION_MS_MAX } from '../../people-limits.ts'

/** Only a host itself can set it, over TLS or on this machine, and for all of its paths. */
const NAME = '__Host-answerlake'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** `Set-Cookie` for a session's value; null takes the cookie away. */
export function toSessionCookie(value: string | null): string {
  const seconds = value === null ? 0 : SESSION_MS_MAX / 1_000
  return `${NAME}=${value ?? ''}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** The session's value that a browser sent; undefined for none, and for two that differ. */
export function findSessionValue(request: IncomingMessage): string | undefined {
  return findCookie(request, NAME)
}

/** What a browser keeps while its user is with an OpenID provider: sent with the navigation that comes back, unlike the session. */
const JOURNEY = `${NAME}-journey`

/** `Set-Cookie` for the journey; null takes the cookie away. */
export function toJourneyCookie(value: string | null): string {
  const seconds = value === null ? 0 : PROVIDER_JOURNEY_SECONDS
  return `${JOURNEY}=${value ?? ''}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

/** As `findSessionValue`, of the journey. */
export function findJourney(request: IncomingMessage): string | undefined {
  return findCookie(request, JOURNEY)
}

function findCookie({ headers }: IncomingMessage, wanted: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() === wanted ? [value.join('=').trim()] : []
  })
  return new Set(values).size === 1 ? values[0] : undefined
}
