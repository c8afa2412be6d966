import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDomain } from '../../src/domain/site.ts'

describe('toDomain', () => {
  test.each([
    ['acme.com', 'acme.com'],
    ['  Acme.COM  ', 'acme.com'],
    ['https://acme.com', 'acme.com'],
    ['HTTPS://user:secret@Shop.Acme.com:8443/path?q=1#top', 'shop.acme.com'],
    ['www.acme.com/', 'www.acme.com'],
    ['acme.com.', 'acme.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['localhost:3000', 'localhost'],
    ['192.0.2.7', '192.0.2.7'],
    ['my_shop.example', 'my_shop.example'],
  ])('reads %j as %j', (given, domain) => {
    expect(toDomain(given)).toBe(domain)
  })

  test.each([
    '',
    '   ',
    'https://',
    'acme .com',
    'acme..com',
    '.acme.com',
    '-acme.com',
    'acme-.com',
    'acme.com, acme.de',
    'a'.repeat(64) + '.com',
    `${'a.'.repeat(130)}com`,
    '<acme.com>',
    'acme\u0000.com',
  ])('finds no host in %j', (given) => {
    expect(toDomain(given)).toBeUndefined()
  })

  test('gives a form that it reads as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.webUrl(), fc.string({ unit: 'binary' })), (given) => {
        const domain = toDomain(given)
        expect(domain === undefined ? undefined : toDomain(domain)).toBe(domain)
      }),
    )
  })
})
