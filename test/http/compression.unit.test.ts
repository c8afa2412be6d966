import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { chooseEncoding, compressNow, compressOnce } from '../../src/http/compression.ts'

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

  it('answers a client without a preference with what is offered first, and never with what is not', () => {
    const offered = ['br', 'gzip'] as const
    const accepted = ['gzip, deflate, br, zstd', 'gzip;q=1, br;q=0.5', 'zstd', '*']
    expect(accepted.map((header) => chooseEncoding(header, offered))).toEqual(['br', 'gzip', undefined, 'br'])
  })
})

const TEXT = Array.from({ length: 2_000 }, (_, at) => `line ${(at * 7_919) % 1_999} of the file\n`).join('')
const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const

test.each(['zstd', 'br', 'gzip'] as const)(
  '%s gives the text back, smaller where it is made once',
  async (encoding) => {
    const [now, once] = [compressNow(TEXT), compressOnce(TEXT)]
    const [quick, small] = await Promise.all([now.compress(encoding), once.compress(encoding)])
    expect([quick, small].map((bytes) => DECODERS[encoding](bytes).toString())).toEqual([TEXT, TEXT])
    expect(small.length).toBeLessThan(quick.length)
  },
)

test('what is compressed once is the same bytes for everybody', async () => {
  const text = compressOnce(TEXT)
  const both = await Promise.all([text.compress('br'), text.compress('br')])
  expect(await text.compress('br')).toBe(both[0])
  expect(both[1]).toBe(both[0])
})
