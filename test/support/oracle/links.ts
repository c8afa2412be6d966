import { getDomain } from 'tldts'

/** A kept link of an answer, with what the contract derives from it (contract/api 5.6). */
export interface OracleLink {
  readonly url: string
  readonly title: string
  readonly host: string
  readonly domain: string
  /** Null: only the domain is known. */
  readonly page: string | null
  /** From 1 over the kept links. */
  readonly position: number
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }
const TRACKING = /^(utm_.*|gclid|fbclid|msclkid)$/

/** The links of a record that are absolute http(s) URLs, numbered without a gap. */
export function readLinks(given: readonly (string | { url: string; title?: string; domain?: string })[]): OracleLink[] {
  const links: OracleLink[] = []
  for (const link of given) {
    const { url, title = '', domain } = typeof link === 'string' ? { url: link } : link
    const target = followWrappers(url)
    const parts = splitUrl(target)
    if (parts === undefined) continue
    const isElsewhere = domain !== undefined && target === url && !isUnder(parts.host, domain.toLowerCase())
    const host = (isElsewhere ? domain : parts.host).toLowerCase()
    const elsewhere = url.includes('/grounding-api-redirect/') ? null : `https://${host}/`
    const page = isElsewhere ? elsewhere : toPage(parts)
    links.push({ url, title, host, domain: toRegistrableDomain(host), page, position: links.length + 1 })
  }
  return links
}

/** Whether a host is the domain or under it. */
export function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** By the public suffix list with its private section; an address, a bare host and a suffix are themselves. */
export function toRegistrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host
}

/** The wrappers that the world's links come through. */
function followWrappers(url: string): string {
  if (!/^https?:\/\/(www\.google\.[a-z.]+\/url|www\.bing\.com\/ck\/a|l\.facebook\.com\/l\.php)\?/.test(url)) return url
  const { searchParams, host } = new URL(url)
  const found = searchParams.get(host === 'www.google.com' ? 'q' : 'u') ?? ''
  const target = host === 'www.bing.com' ? Buffer.from(found.slice(2), 'base64url').toString() : found
  return /^https?:/i.test(target) ? followWrappers(target) : url
}

interface UrlParts {
  readonly scheme: string
  readonly host: string
  readonly port: string
  readonly path: string
  /** Without the question mark; undefined when there is none. */
  readonly query: string | undefined
}

function splitUrl(url: string): UrlParts | undefined {
  const found = /^(https?):\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/i.exec(url)
  if (!found) return undefined
  const [, scheme = '', authority = '', path = '', query] = found
  const address = authority.slice(authority.lastIndexOf('@') + 1)
  const [host = '', port = ''] = address.split(':')
  return { scheme, host: host.toLowerCase(), port, path, query }
}

function toPage({ scheme, host, port, path, query }: UrlParts): string {
  const shownPort = port === '' || port === DEFAULT_PORTS[scheme.toLowerCase()] ? '' : `:${port}`
  const kept = query?.split('&').filter((pair) => !TRACKING.test(pair.split('=')[0] ?? ''))
  const shownQuery = kept === undefined || kept.length === 0 ? '' : `?${kept.join('&')}`
  return `${scheme.toLowerCase()}://${host}${shownPort}${spellOut(path + shownQuery)}`
}

/** Unreserved characters as they are, what is outside ASCII in UTF-8, hexadecimal digits in upper case. */
function spellOut(text: string): string {
  const upper = text.replaceAll(/%[0-9a-fA-F]{2}/g, (byte) => byte.toUpperCase())
  const plain = upper.replaceAll(/%(4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE]|3[0-9]|2[DE])/g, (byte) =>
    decodeURIComponent(byte),
  )
  return Array.from(plain, (letter) => (letter > '\x7f' ? encodeURIComponent(letter) : letter)).join('')
}
