import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv4 address as a number, an IPv6 address as a bigint. An IPv4-mapped IPv6 address is the IPv4 address. */
export type Address = number | bigint

/** A published prefix, its first and last address included; both are of one family. */
export interface AddressRange {
  /** One spelling for every way to write it: `192.0.2.0/24`, `2001:db8::/32`; a lone address has `/32` or `/128`. */
  readonly prefix: string
  readonly first: Address
  readonly last: Address
}

/**
 * The client address of a log line. Takes a port (`192.0.2.7:443`, `[2001:db8::1]:443`), brackets and a zone (`%eth0`) off.
 * Undefined when the field holds no usable address: absent, `-`, a host name, hashed, masked with letters.
 */
export function normalizeAddress(field: string): Address | undefined {
  const text = field.trim()
  const known = parseIpv4(text)
  if (known !== undefined) return known
  const inner = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1')
  const address = inner.replace(/%[^:]*$/, '')
  return parseIpv4(address) ?? parseIpv6(address)
}

/** A prefix or a lone address of a published document; undefined when it is neither or has host bits set. */
export function parsePrefix(text: string): AddressRange | undefined {
  const [, address = '', mask] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const ipv4 = parseIpv4(address)
  if (ipv4 !== undefined) return toIpv4Range(ipv4, mask === undefined ? 32 : Number(mask))
  const ipv6 = parseIpv6(address)
  if (ipv6 === undefined) return undefined
  const bits = mask === undefined ? 128 : Number(mask)
  return typeof ipv6 === 'number' ? toIpv4Range(ipv6, bits - 96) : toIpv6Range(ipv6, bits)
}

function toIpv4Range(first: number, bits: number): AddressRange | undefined {
  if (!(bits >= 0 && bits <= 32)) return undefined
  const size = 2 ** (32 - bits)
  if (first % size !== 0) return undefined
  const octets = [first >>> 24, (first >>> 16) & 255, (first >>> 8) & 255, first & 255]
  return { prefix: `${octets.join('.')}/${bits}`, first, last: first + size - 1 }
}

function toIpv6Range(first: bigint, bits: number): AddressRange | undefined {
  if (!(bits >= 0 && bits <= 128)) return undefined
  const size = 1n << BigInt(128 - bits)
  if (first % size !== 0n) return undefined
  const parts = Array.from({ length: 8 }, (_, index) => Number((first >> BigInt(112 - 16 * index)) & 0xffffn))
  return { prefix: `${new ipaddr.IPv6(parts).toString()}/${bits}`, first, last: first + size - 1n }
}

/** By hand where the library would try five notations with an expression each: every hit of a log passes here. */
function parseIpv4(text: string): number | undefined {
  if (text.length < 7 || text.length > 15) return undefined
  let address = 0
  let octet = -1
  let dots = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 46) {
      if (octet < 0 || dots === 3) return undefined
      address = address * 256 + octet
      octet = -1
      dots++
      continue
    }
    if (code < 48 || code > 57 || octet === 0) return undefined
    octet = (octet < 0 ? 0 : octet * 10) + code - 48
    if (octet > 255) return undefined
  }
  return dots === 3 && octet >= 0 ? address * 256 + octet : undefined
}

/** Longest way to write one: `0000:0000:0000:0000:0000:ffff:255.255.255.255`. */
const IPV6_CHARACTERS_MAX = 45

function parseIpv6(text: string): Address | undefined {
  if (text.length > IPV6_CHARACTERS_MAX || !isIPv6(text) || text.includes('%')) return undefined
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return parseIpv4(address.toIPv4Address().toString())
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = address.parts
  const high = (BigInt(a * 65_536 + b) << 32n) | BigInt(c * 65_536 + d)
  const low = (BigInt(e * 65_536 + f) << 32n) | BigInt(g * 65_536 + h)
  return (high << 64n) | low
}
