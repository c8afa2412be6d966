import type { IncomingMessage } from 'node:http'
import { SESSION_MS_MAX } from '../../people-limits.ts'

/** Only a host itself can set it, over TLS or on this machine, and for all of its paths. */
const NAME = '__Host-answerlake'
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** `Set-Cookie` for a session's value; null takes the cookie away. */
export function toSessionCookie(value: string | null): string {
  const seconds = value === null ? 0 : SESSION_MS_MAX / 1_000
  return `${NAME}=${value ?? ''}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** The session's value that a browser sent; undefined for none, and for two that differ. */
export function findSessionValue({ headers }: IncomingMessage): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() === NAME ? [value.join('=').trim()] : []
  })
  return new Set(values).size === 1 ? values[0] : undefined
}
