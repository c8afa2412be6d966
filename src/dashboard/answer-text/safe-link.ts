import type { SafeLink } from './tree.ts'

/** Browsers and proxies cut longer ones anyway. */
const LENGTH_MAX = 2048

/** An address that may be followed, or undefined: only http and https, absolute, and of a bounded length. */
export function toSafeLink(address: string): SafeLink | undefined {
  if (address.length > LENGTH_MAX || !/^https?:\/\//i.test(address)) return undefined
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  // What stands before an @ only pretends to be a host.
  url.username = ''
  url.password = ''
  return { href: url.href, host: url.host }
}

/** Whether a text begins with the very place that the link leads to, so that the host needn't be said again. */
export function spellsOut(text: string, { href, host }: SafeLink): boolean {
  const origin = href.slice(0, href.indexOf(host) + host.length)
  if (!text.startsWith(origin)) return false
  const next = text.charAt(origin.length)
  return next === '' || next === '/' || next === '?' || next === '#'
}
