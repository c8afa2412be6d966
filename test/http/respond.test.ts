import { describe, expect, it } from 'vitest'
import { chooseEncoding } from '../../src/http/respond.ts'

describe('chooseEncoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', undefined],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['*', 'zstd'],
    ['*;q=0', undefined],
    ['zstd;q=0, *', 'br'],
    ['gzip; q=0.8 , br;q=0.9', 'br'],
    ['br;q=nonsense', undefined],
  ] as const)('answers Accept-Encoding %j with %j', (accepted, encoding) => {
    expect(chooseEncoding(accepted)).toBe(encoding)
  })
})
