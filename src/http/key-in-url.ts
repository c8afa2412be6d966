import { KEY_PREFIX } from '../domain/api-key.ts'
import type { Target } from './exchange.ts'

/** Names, in lower case and without `-` and `_`, under which callers put a key into a query string (contract/api 2.4). */
const KEY_NAMES = new Set(['apikey', 'xapikey', 'key', 'token', 'accesstoken', 'authorization', 'bearer', 'secret'])

/**
 * True when the request target carries what is, or is named like, an API key: proxies, browsers and logs keep URLs, so
 * such a key should be revoked (contract/api 2.4). Everything is decoded once; nothing of the target may be repeated.
 */
export function hasKeyInUrl({ authority, path, query }: Target): boolean {
  return (
    authority.split(/[@:]/).some(isKeyInPath) ||
    path.split('/').some(isKeyInPath) ||
    query.split(/[&;]/).some(isKeyParameter)
  )
}

/** The paths on which such a request is refused: `/v1`, `/ui` and below, however they are spelled. */
export function isUnderApi(path: string): boolean {
  const segments = decodeOnce(path).split('/')
  const first = segments.find((segment) => segment !== '' && segment !== '.')
  return first === 'v1' || first === 'ui'
}

/** Percent-decoding that leaves what can't be decoded as it is. */
export function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%[0-9a-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)))
  }
}

function isKeyInPath(segment: string): boolean {
  return decodeOnce(segment)
    .split(/[/;\\]/)
    .some(isKeyValue)
}

function isKeyParameter(parameter: string): boolean {
  const [rawName = '', ...rawValue] = parameter.replaceAll('+', ' ').split('=')
  const name = decodeOnce(rawName)
  return isKeyName(name) || isKeyValue(name) || isKeyValue(decodeOnce(rawValue.join('=')))
}

function isKeyName(name: string): boolean {
  const bare = name
    .trim()
    .toLowerCase()
    .replace(/\[.*\]$/, '')
  return KEY_NAMES.has(bare.replaceAll(/[-_]/g, ''))
}

function isKeyValue(value: string): boolean {
  const bare = value.trim().replace(/^bearer\s+/i, '')
  return bare.toLowerCase().startsWith(KEY_PREFIX)
}
