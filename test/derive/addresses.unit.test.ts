import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeAddress, parsePrefix } from '../../src/derive/addresses.ts'

const V4 = 203 * 2 ** 24 + 113 * 2 ** 8 + 7
const V6 = 0x20010db8000000000000000000000001n

describe('a client address', () => {
  it.each([
    ['203.0.113.7', V4],
    [' 203.0.113.7 ', V4],
    ['203.0.113.7:50424', V4],
    ['::ffff:203.0.113.7', V4],
    ['::FFFF:cb00:7107', V4],
    ['[::ffff:203.0.113.7]:443', V4],
    ['2001:db8::1', V6],
    ['2001:0DB8:0:0:0:0:0:1', V6],
    ['[2001:db8::1]', V6],
    ['[2001:db8::1]:443', V6],
    ['fe80::1%eth0', 0xfe800000000000000000000000000001n],
    ['0.0.0.0', 0],
    ['255.255.255.255', 2 ** 32 - 1],
    ['::', 0n],
  ])('%s is usable', (field, address) => {
    expect(normalizeAddress(field)).toBe(address)
  })

  it.each([
    '',
    '-',
    'unknown',
    'crawl-66-249-66-1.googlebot.com',
    'localhost',
    'a3f5c9e0',
    'd41d8cd98f00b204e9800998ecf8427e',
    '203.0.113.x',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.07',
    '203.0.113.7.1',
    '203..113.7',
    '.0.113.7',
    '203.0.113.',
    '0x1.0.0.1',
    '1',
    '203.0.113.7/32',
    '203.0.113.7, 198.51.100.1',
    '203.0.113.7:',
    '203.0.113.7:port',
    '2001:db8::1::',
    '2001:db8:::1',
    '[2001:db8::1',
    '2001:db8::g',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    ':::::::::::::',
  ])('%j is none', (field) => {
    expect(normalizeAddress(field)).toBeUndefined()
  })

  it('is the same number however an IPv4 address is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)
        return [address, `${address}:80`, `::ffff:${address}`].every((field) => normalizeAddress(field) === expected)
      }),
    )
  })

  it('is the same number however an IPv6 address is written', () => {
    fc.assert(
      fc.property(fc.bigInt(2n ** 64n, 2n ** 128n - 1n), (address) => {
        const groups = address.toString(16).padStart(32, '0').match(/.{4}/g)!
        const full = groups.join(':')
        const short = groups.map((group) => group.replace(/^0{1,3}/, '')).join(':')
        return [full, short, full.toUpperCase(), `[${short}]:443`].every((field) => normalizeAddress(field) === address)
      }),
    )
  })

  it('is read or refused without an error, whatever stands in the field', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (field) =>
        ['number', 'bigint', 'undefined'].includes(typeof normalizeAddress(field)),
      ),
    )
  })
})

describe('a published prefix', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24', V4 - 7, V4 + 248],
    ['203.0.113.7', '203.0.113.7/32', V4, V4],
    [' 203.0.113.7/32 ', '203.0.113.7/32', V4, V4],
    ['2001:DB8:0::/32', '2001:db8::/32', 0x20010db8n << 96n, (0x20010db9n << 96n) - 1n],
    ['2001:db8::1', '2001:db8::1/128', V6, V6],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24', V4 - 7, V4 + 248],
    ['10.0.0.0/8', '10.0.0.0/8', 10 * 2 ** 24, 11 * 2 ** 24 - 1],
  ])('%s has one spelling and its first and last address', (text, prefix, first, last) => {
    expect(parsePrefix(text)).toEqual({ prefix, first, last })
  })

  it.each([
    '',
    'x',
    '203.0.113.0/33',
    '203.0.113.0/',
    '203.0.113.0/24/1',
    '203.0.113.0/-1',
    '203.0.113.0/255.255.255.0',
    '203.0.113.7/24',
    '2001:db8::1/64',
    '2001:db8::/129',
    '300.0.0.0/8',
    '203.0.113.0-203.0.113.9',
    '::ffff:0.0.0.0/95',
  ])('%j is refused: malformed or with host bits', (text) => {
    expect(parsePrefix(text)).toBeUndefined()
  })
})
