import { getDomain } from 'tldts'
import type { CitationRecord } from '../domain/answer.ts'
import { toDomain } from '../domain/site.ts'
import { isTrackingParameter } from '../reference/tracking-parameters.ts'
import { memoize } from './memo.ts'

/** A link that an answer cites, with what reports group and filter it by (decisions.md 5.6). */
export interface Citation {
  /** As it was cited, with U+FFFD for half a surrogate pair. */
  readonly url: string
  /** `''` for a source without one. */
  readonly title: string
  /** The URL with the host lower-cased, without default port, fragment, user info and tracking parameters; otherwise byte for byte. */
  readonly page: string
  /** Lower-case ASCII, as DNS has it; without port, trailing dot and the brackets of an IPv6 address. */
  readonly host: string
  /** The registrable domain of the host; an IP address or a bare host is itself. */
  readonly domain: string
}

/** Undefined when the URL is no absolute http(s) URL. Where the record names the domain behind a redirect, that is the host. */
export function toCitation(record: CitationRecord): Citation | undefined {
  // Half a surrogate pair has no place in UTF-8: the lake would hold another page than the one that is compared here.
  const url = record.url.toWellFormed()
  const title = (record.title ?? '').toWellFormed()
  const address = url.trim()
  const [origin] = ORIGIN.exec(address) ?? []
  const place = origin === undefined ? undefined : toPlace(origin)
  if (origin === undefined || place === undefined) return undefined
  const behind = record.domain === undefined ? undefined : toHostBehind(record.domain)
  if (behind !== undefined) {
    return { url, title, page: `https://${behind}/`, host: behind, domain: toRegistrableDomain(behind) }
  }
  const fragment = address.indexOf('#')
  const rest = address.slice(origin.length, fragment < 0 ? undefined : fragment)
  return {
    url,
    title,
    page: place.origin + withoutTracking(rest, place.domain),
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

interface Place {
  /** Scheme, host and port as the page has them. */
  readonly origin: string
  readonly host: string
  readonly domain: string
}

/** Undefined when no browser would take it for an address. */
const toPlace = memoize((origin): Place | undefined => {
  const parsed = URL.parse(origin)
  if (parsed === null) return undefined
  const scheme = origin.slice(0, origin.indexOf('//') + 2)
  const written = origin.slice(Math.max(scheme.length, origin.lastIndexOf('@') + 1))
  const port = written.lastIndexOf(':') > written.lastIndexOf(']') ? written.slice(written.lastIndexOf(':')) : ''
  const name = written.slice(0, written.length - port.length).toLowerCase()
  const host = parsed.hostname.replace(/^\[|\]$|\.$/g, '')
  return {
    origin: scheme + name + (parsed.port === '' ? '' : port),
    host,
    domain: toRegistrableDomain(host),
  }
})

/** The host that a record names for a link that only redirects; undefined when what it names is none. */
const toHostBehind = memoize((given): string | undefined => {
  const host = toDomain(given)
  return host?.includes('.') ? host : undefined
})

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
