import { describe, expect, it } from 'vitest'
import { isPlainPath, parseTarget } from '../../src/http/exchange.ts'

describe('parseTarget', () => {
  it.each([
    ['/v1/me', { authority: '', path: '/v1/me', query: '' }],
    ['/v1/me?', { authority: '', path: '/v1/me', query: '' }],
    ['/v1/me?a=1?b=2', { authority: '', path: '/v1/me', query: 'a=1?b=2' }],
    ['http://host:80/v1/me?a=1', { authority: 'host:80', path: '/v1/me', query: 'a=1' }],
    ['HTTPS://host', { authority: 'host', path: '/', query: '' }],
    ['http://host?a=1', { authority: 'host', path: '/', query: 'a=1' }],
    ['*', { authority: '', path: '*', query: '' }],
    ['v1/me', { authority: '', path: 'v1/me', query: '' }],
  ])('splits %s', (url, target) => {
    expect(parseTarget(url)).toEqual(target)
  })
})

describe('isPlainPath', () => {
  it.each(['/v1/me', '/v1/sites/a.b', '/v1/sites/a%2Fb', '/v1/sites/..a', '*'])('takes %s', (path) => {
    expect(isPlainPath(path)).toBe(true)
  })

  it.each(['/', '/v1/', '//v1/me', '/v1//me', '/v1/./me', '/v1/../v1/me', '/v1/%2e%2E/me', '/v1/.%2e/me', '/v1\\me'])(
    'refuses %s',
    (path) => {
      expect(isPlainPath(path)).toBe(false)
    },
  )
})
