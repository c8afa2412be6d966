import { getDomain } from 'tldts'

/** A kept link of an answer, with what the contract derives from it (decisions.md 5.6). */
export interface OracleLink {
  readonly url: string
  readonly title: string
  readonly host: string
  readonly domain: string
  readonly page: string
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
    const parts = splitUrl(url)
    if (parts === undefined) continue
    const host = (domain ?? parts.host).toLowerCase()
    const page = domain === undefined ? toPage(parts) : `https://${host}/`
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
  return `${scheme}://${host}${shownPort}${path}${shownQuery}`
}
