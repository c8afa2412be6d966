import { expect, test } from 'vitest'
import { isPublicSuffix } from '../../src/derive/public-suffix.ts'

test.each(['com', 'co.uk', 'github.io', 'blogspot.com', 's3.amazonaws.com', 'xn--p1ai', 'anything.ck', 'google'])(
  '%s is nobody’s own',
  (host) => {
    expect(isPublicSuffix(host)).toBe(true)
  },
)

test.each([
  'acme.co.uk',
  'acme.github.io',
  'www.ck',
  'acme.com',
  'intranet',
  'localhost',
  '203.0.113.7',
  'xn--mnchen-3ya.de',
  'io.github',
])('%s may be a site', (host) => {
  expect(isPublicSuffix(host)).toBe(false)
})
