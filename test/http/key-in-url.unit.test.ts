import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTarget } from '../../src/http/exchange.ts'
import { hasKeyInUrl, isUnderApi } from '../../src/http/key-in-url.ts'
import { KEY, KEYS_IN_URLS } from '../support/keys-in-urls.ts'

describe('hasKeyInUrl', () => {
  it.each(KEYS_IN_URLS)('finds the key in ?%s', (query) => {
    expect(hasKeyInUrl(parseTarget(`/v1/sites?${query}`))).toBe(true)
  })

  it.each([`/v1/${KEY}`, `/v1/sites/${KEY}/prompts`, '/v1/sites/%61lk_x', `/v1/a%2F${KEY}`, `/v1/sites/x;${KEY}`])(
    'finds the key in the path %s',
    (path) => {
      expect(hasKeyInUrl(parseTarget(path))).toBe(true)
    },
  )

  it('finds the key in the user info of an absolute target', () => {
    expect(hasKeyInUrl(parseTarget(`http://${KEY}:x@127.0.0.1/v1/me`))).toBe(true)
    expect(hasKeyInUrl(parseTarget(`http://user:${KEY}@127.0.0.1/v1/me`))).toBe(true)
    expect(hasKeyInUrl(parseTarget('http://127.0.0.1:8080/v1/me'))).toBe(false)
  })

  it.each([
    '',
    'limit=5',
    'status=active&category=How-to',
    'cursor=xalk_abc',
    'keys=1',
    'monkey=1',
    'tokens=1',
    'q=key',
    'q=token%3Dx',
    'q=%2561lk_x',
    'q=talk_to_us',
  ])('leaves ?%s alone', (query) => {
    expect(hasKeyInUrl(parseTarget(`/v1/sites?${query}`))).toBe(false)
  })

  it('decides about any text without failing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => typeof hasKeyInUrl(parseTarget(`/v1/${text}`)) === 'boolean'),
      { numRuns: 300 },
    )
  })
})

describe('isUnderApi', () => {
  it.each(['/v1', '/v1/', '/v1/me', '//v1/me', '/./v1/me', '/%76%31/me', '/v1%2Fme'])('%s is', (path) => {
    expect(isUnderApi(path)).toBe(true)
  })

  it.each(['/', '/healthz', '/v10/me', '/V1/me', '/x/v1', '*'])('%s is not', (path) => {
    expect(isUnderApi(path)).toBe(false)
  })
})
