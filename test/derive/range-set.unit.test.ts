import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeAddress, parsePrefix } from '../../src/derive/addresses.ts'
import { countAddresses, createRangeSet } from '../../src/derive/range-set.ts'

function toSet(prefixes: readonly string[]) {
  return createRangeSet(prefixes.map((prefix) => parsePrefix(prefix)!))
}

function contained(prefixes: readonly string[], addresses: readonly string[]): boolean[] {
  const set = toSet(prefixes)
  return addresses.map((address) => set.contains(normalizeAddress(address)!))
}

it('contains the first and the last address of a prefix and not their neighbours', () => {
  const edges = ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0']
  expect(contained(['192.0.2.0/24'], edges)).toEqual([false, true, true, false])
  const edges6 = [
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ]
  expect(contained(['2001:db8::/32'], edges6)).toEqual([false, true, true, false])
})

it('keeps the families apart: ::7 is not 0.0.0.7', () => {
  expect(contained(['10.0.0.0/8'], ['::a00:1', '10.0.0.1', '::ffff:10.0.0.1'])).toEqual([false, true, true])
})

it('contains nothing without prefixes', () => {
  expect(contained([], ['192.0.2.1', '2001:db8::1'])).toEqual([false, false])
})

it('takes prefixes within others and side by side', () => {
  const prefixes = ['192.0.2.0/24', '192.0.2.64/26', '192.0.3.0/24', '192.0.0.0/16', '198.51.100.7']
  expect(contained(prefixes, ['192.0.2.70', '192.0.255.255', '198.51.100.7', '198.51.100.8'])).toEqual([
    true,
    true,
    true,
    false,
  ])
})

it('agrees with comparing each prefix in turn', () => {
  const prefix = fc
    .tuple(fc.nat(0xffff), fc.integer({ min: 8, max: 32 }))
    .map(([seed, bits]) => toPrefix(((seed * 65_537) % 2 ** 32) >>> 0, bits))
  fc.assert(
    fc.property(fc.array(prefix, { maxLength: 40 }), fc.array(fc.nat(0xffff), { maxLength: 40 }), (prefixes, seeds) => {
      const set = toSet(prefixes)
      const ranges = prefixes.map((text) => parsePrefix(text)!)
      return seeds.every((seed) => {
        const address = ((seed * 65_537 + (seed % 7)) % 2 ** 32) >>> 0
        return set.contains(address) === ranges.some(({ first, last }) => first <= address && address <= last)
      })
    }),
  )
})

function toPrefix(address: number, bits: number): string {
  const first = address - (address % 2 ** (32 - bits))
  return `${[24, 16, 8, 0].map((shift) => (first >>> shift) & 255).join('.')}/${bits}`
}

it('counts each address once, however many ranges hold it', () => {
  const count = (...prefixes: string[]) => countAddresses(prefixes.map((prefix) => parsePrefix(prefix)!))
  expect(count()).toEqual({ ipv4: 0n, ipv6: 0n })
  expect(count('192.0.2.0/24', '192.0.2.64/26', '192.0.3.0/24', '192.0.2.7')).toEqual({ ipv4: 512n, ipv6: 0n })
  expect(count('0.0.0.0/0', '2001:db8::/32', '::1')).toEqual({ ipv4: 2n ** 32n, ipv6: 2n ** 96n + 1n })
})
