import { type Address, type AddressRange, normalizeAddress } from '../derive/addresses.ts'
import { createRangeSet } from '../derive/range-set.ts'

/**
 * What a client address can tell of a bot: nothing when it is of a private network (a proxy's, most likely), masked (its
 * last part is zero, as anonymised logs have it) or none at all.
 */
export type AddressKind = 'public' | 'private' | 'masked' | 'none'

/** What kind of address a log's field holds. */
export function findAddressKind(field: string): AddressKind {
  const address = normalizeAddress(field)
  if (address === undefined) return 'none'
  if (PRIVATE.contains(address)) return 'private'
  return isMasked(address) ? 'masked' : 'public'
}

/** The last octet of an IPv4 address, the last 64 bits of an IPv6 address: the least that tools mask. */
function isMasked(address: Address): boolean {
  return typeof address === 'number' ? address % 256 === 0 : address % (1n << 64n) === 0n
}

/** Networks that no client on the internet has: RFC 1918, shared, loopback, link-local, unique local. */
const PRIVATE = createRangeSet([
  ipv4('10.0.0.0', 8),
  ipv4('172.16.0.0', 12),
  ipv4('192.168.0.0', 16),
  ipv4('100.64.0.0', 10),
  ipv4('127.0.0.0', 8),
  ipv4('169.254.0.0', 16),
  { prefix: '::1/128', first: 1n, last: 1n },
  ipv6('fc00::', 7),
  ipv6('fe80::', 10),
])

function ipv4(first: string, bits: number): AddressRange {
  const start = Number(normalizeAddress(first))
  return { prefix: `${first}/${bits}`, first: start, last: start + 2 ** (32 - bits) - 1 }
}

function ipv6(first: string, bits: number): AddressRange {
  const start = BigInt(normalizeAddress(first) ?? 0)
  return { prefix: `${first}/${bits}`, first: start, last: start + (1n << BigInt(128 - bits)) - 1n }
}
