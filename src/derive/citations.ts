import { getDomain } from 'tldts'
import type { CitationRecord } from '../domain/answer.ts'
import { toDomain } from '../domain/site.ts'
import { findRedirectWrappers, type RedirectWrapper } from '../reference/redirect-wrappers.ts'
import { isTrackingParameter } from '../reference/tracking-parameters.ts'
import { memoize } from './memo.ts'

/** A link that an answer cites, with what reports group and filter it by (contract/api 5.6). */
export interface Citation {
  /** As it was cited, with U+FFFD for half a surrogate pair. */
  readonly url: string
  /** `''` for a source without one. */
  readonly title: string
  /**
   * The URL, or the one that a redirect wraps, with scheme and host lower-cased, without default port, fragment, user info and
   * tracking parameters, its percent-encoding made one. Null when only the domain is known.
   */
  readonly page: string | null
  /** Lower-case ASCII, as DNS has it; without port, trailing dot and the brackets of an IPv6 address. */
  readonly host: string
  /** The registrable domain of the host; an IP address or a bare host is itself. */
  readonly domain: string
}

/**
 * Undefined when the URL is no absolute http(s) URL. A link through a redirect that says where it leads counts as its target.
 * Where the record names the domain behind a link of another host, that is the host; the page is then its start page, and
 * none when the link is a redirect that is known to hide its target.
 */
export function toCitation(record: CitationRecord): Citation | undefined {
  // Half a surrogate pair has no place in UTF-8: the lake would hold another page than the one that is compared here.
  const url = record.url.toWellFormed()
  const title = (record.title ?? '').toWellFormed()
  const cited = toAddress(url.trim())
  if (cited === undefined) return undefined
  const reached = cited.place.wrappers.length === 0 ? cited : unwrap(cited)
  const behind = record.domain === undefined || reached !== cited ? undefined : toHostBehind(record.domain)
  if (behind !== undefined && !isUnder(cited.place.host, behind.replace(/^www\.(?=.*\.)/, ''))) {
    const page = hidesTarget(cited) ? null : `https://${behind}/`
    return { url, title, page, host: behind, domain: toRegistrableDomain(behind) }
  }
  const { place, rest } = reached
  return {
    url,
    title,
    page: place.origin + withoutTracking(withOneEncoding(rest), place.domain),
    host: place.host,
    domain: place.domain,
  }
}

/** The registrable domain of a host by the public suffix list with its private section: `en.wikipedia.org` gives `wikipedia.org`. */
export const toRegistrableDomain: (host: string) => string = memoize(
  (host) => getDomain(host, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ?? host,
)

/** Whether a host is the domain or a subdomain of it; both as `host` above. */
export function isUnder(host: string, domain: string): boolean {
  return host === domain || (host.endsWith(domain) && host.at(-domain.length - 1) === '.')
}

const ORIGIN = /^https?:\/\/[^/?#\\]+/i

/** An absolute http(s) URL in two parts. */
interface Address {
  readonly place: Place
  /** Path and query, without the fragment. */
  readonly rest: string
}

interface Place {
  /** Scheme, host and port as the page has them. */
  readonly origin: string
  readonly host: string
  readonly domain: string
  readonly wrappers: readonly RedirectWrapper[]
}

function toAddress(text: string): Address | undefined {
  const [origin] = ORIGIN.exec(text) ?? []
  const place = origin === undefined ? undefined : toPlace(origin)
  if (origin === undefined || place === undefined) return undefined
  const fragment = text.indexOf('#')
  return { place, rest: text.slice(origin.length, fragment < 0 ? undefined : fragment) }
}

/** Redirects through redirects are followed this far. */
const WRAPS_MAX = 5

/** The page that a link through redirects is for; the link itself when it isn't one. */
function unwrap(address: Address): Address {
  let reached = address
  for (let depth = 0; depth < WRAPS_MAX; depth++) {
    const target = toTarget(reached)
    if (target === undefined) break
    reached = target
  }
  return reached
}

function toTarget(address: Address): Address | undefined {
  const query = address.rest.split('?').slice(1).join('?')
  for (const { parameters, encoding } of wrappersOf(address)) {
    for (const name of parameters) {
      const given = query.split('&').find((parameter) => nameOf(parameter) === name)
      const target = given === undefined ? undefined : toAddress(decode(given.slice(name.length + 1), encoding).trim())
      if (target !== undefined) return target
    }
  }
  return undefined
}

function decode(value: string, encoding: RedirectWrapper['encoding']): string {
  try {
    const plain = decodeURIComponent(value)
    return encoding === 'bing' ? Buffer.from(plain.replace(/^a1/, ''), 'base64url').toString() : plain
  } catch {
    return value
  }
}

function hidesTarget(address: Address): boolean {
  return wrappersOf(address).some(({ parameters }) => parameters.length === 0)
}

function wrappersOf({ place, rest }: Address): readonly RedirectWrapper[] {
  const path = rest.replace(/\?.*$/s, '').replace(/(?<=.)\/$/, '') || '/'
  return place.wrappers.filter(({ paths }) =>
    paths.some((pattern) => (pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern)),
  )
}

/** Undefined when no browser would take it for an address. */
const toPlace = memoize((origin): Place | undefined => {
  const parsed = URL.parse(origin)
  if (parsed === null) return undefined
  const scheme = origin.slice(0, origin.indexOf('//') + 2).toLowerCase()
  const written = origin.slice(Math.max(scheme.length, origin.lastIndexOf('@') + 1))
  const port = written.lastIndexOf(':') > written.lastIndexOf(']') ? written.slice(written.lastIndexOf(':')) : ''
  const name = written.slice(0, written.length - port.length).toLowerCase()
  const host = parsed.hostname.replace(/^\[|\]$|\.$/g, '')
  return {
    origin: scheme + (/^[\0-\x7f]*$/.test(name) ? name : parsed.hostname) + (parsed.port === '' ? '' : port),
    host,
    domain: toRegistrableDomain(host),
    wrappers: findRedirectWrappers(host),
  }
})

/** The host that a record names for a link that only redirects; undefined when what it names is none. */
const toHostBehind = memoize((given): string | undefined => {
  const host = toDomain(given)
  return host?.includes('.') ? host : undefined
})

const UNRESERVED = /^[\w.~-]$/

/**
 * Each character in one of its spellings: letters, digits and `-._~` as they are, what lies outside ASCII in percent-encoded
 * UTF-8, and hexadecimal digits in upper case.
 */
function withOneEncoding(rest: string): string {
  if (!/[%\u0080-\uffff]/.test(rest)) return rest
  return rest.replace(/%[\da-f]{2}|[^\0-\x7f]+/gi, (found) => {
    if (!found.startsWith('%')) return encodeURIComponent(found)
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16))
    return UNRESERVED.test(character) ? character : found.toUpperCase()
  })
}

function withoutTracking(rest: string, domain: string): string {
  const start = rest.indexOf('?')
  if (start < 0) return rest
  const all = rest.slice(start + 1).split('&')
  const kept = all.filter((parameter) => !isTrackingParameter(nameOf(parameter), domain))
  if (kept.length === all.length) return rest
  return kept.every((parameter) => parameter === '')
    ? rest.slice(0, start)
    : `${rest.slice(0, start)}?${kept.join('&')}`
}

function nameOf(parameter: string): string {
  const end = parameter.indexOf('=')
  return end < 0 ? parameter : parameter.slice(0, end)
}
