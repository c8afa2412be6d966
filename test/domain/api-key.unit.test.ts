import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyStatus, newApiKey, parseApiKey, toKeyHash } from '../../src/domain/api-key.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// CRC32 of the first 38 characters by another implementation (Python's zlib), written in base 62.
const ZEROS = 'alk_0000000000000000000000000000000000019dyJ'

describe('a new key', () => {
  test('has the published shape and passes its own check, whatever chance gives', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (stream) => {
        const key = newApiKey({ bytes: (count) => Uint8Array.from({ length: count }, () => stream.next().value) })
        expect(key).toMatch(/^alk_[0-9A-Za-z]{40}$/)
        expect(parseApiKey(key)).toBe(key)
      }),
    )
  })

  test('takes no byte that would favour some characters', () => {
    let round = 0
    const key = newApiKey({ bytes: (count) => new Uint8Array(count).fill(round++ === 0 ? 255 : 61) })
    expect(key.slice(4, 38)).toBe('z'.repeat(34))
  })

  test('begins with its cell, and is as long and as valid as any', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Za-z]{3}$/), (cell) => {
        const key = newApiKey(undefined, cell)
        expect(key).toMatch(/^alk_[0-9A-Za-z]{40}$/)
        expect([key.slice(4, 7), parseApiKey(key)]).toEqual([cell, key])
      }),
    )
  })

  test('ends in the CRC32 of what precedes it, padded with zeros', () => {
    const key = newApiKey({ bytes: (count) => new Uint8Array(count) })
    expect(key).toBe(ZEROS)
  })
})

describe('parseApiKey', () => {
  test('refuses a key with any one character changed', () => {
    const places = fc.record({
      at: fc.integer({ min: 0, max: 43 }),
      to: fc.constantFrom(...BASE62.split('')),
      seed: fc.uint8Array({ minLength: 34, maxLength: 34 }),
    })
    fc.assert(
      fc.property(places, ({ at, to, seed }) => {
        const key = newApiKey({ bytes: () => seed.map((byte) => byte % 248) })
        fc.pre(key[at] !== to)
        expect(parseApiKey(key.slice(0, at) + to + key.slice(at + 1))).toBeUndefined()
      }),
    )
  })

  test('refuses two neighbours swapped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 42 }), fc.uint8Array({ minLength: 34, maxLength: 34 }), (at, seed) => {
        const key = newApiKey({ bytes: () => seed.map((byte) => byte % 248) })
        fc.pre(key[at] !== key[at + 1])
        expect(parseApiKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBeUndefined()
      }),
    )
  })

  test.each(['', 'alk_', `${ZEROS} `, ` ${ZEROS}`, `${ZEROS}\n`, ZEROS.slice(0, -1), `${ZEROS}0`, ZEROS.toUpperCase()])(
    'refuses %j',
    (text) => {
      expect(parseApiKey(text)).toBeUndefined()
    },
  )

  test('answers any text without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(parseApiKey(text)).toBeUndefined()
      }),
    )
  })
})

test('what is kept of a key is the SHA-256 of its value', () => {
  expect(toKeyHash('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

describe('keyStatus', () => {
  const expiresAt = '2026-12-20T07:03:09.120Z'
  const atMs = Date.parse(expiresAt)

  test.each([
    [atMs - 1, null, 'active'],
    [atMs, null, 'expired'],
    [atMs + 1, null, 'expired'],
    [atMs - 1, '2026-11-21T00:00:00.000Z', 'revoked'],
    [atMs + 1, '2026-11-21T00:00:00.000Z', 'revoked'],
  ] as const)('at %d, revoked at %s, a key is %s', (nowMs, revokedAt, status) => {
    expect(keyStatus({ expiresAt, revokedAt }, nowMs)).toBe(status)
  })
})
