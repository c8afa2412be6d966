import { withoutPort } from './formats/log-text.ts'

/**
 * The client's address behind a known number of proxies: each of them appends the address that connected to it to
 * `X-Forwarded-For`, and the last one is `peer`. Whatever stands further left was written by the client itself. With
 * fewer entries than proxies, the leftmost.
 */
export function findClientAddress(forwardedFor: string, peer: string, trustedProxies: number): string {
  const chain = forwardedFor.split(',').map((entry) => withoutPort(entry.trim()))
  const known = [...chain.filter((entry) => entry !== ''), peer]
  return known.at(Math.max(0, known.length - 1 - trustedProxies)) ?? peer
}
