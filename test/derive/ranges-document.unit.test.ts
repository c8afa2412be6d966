import { describe, expect, it } from 'vitest'
import { parseRangesDocument } from '../../src/derive/ranges-document.ts'
import { CommandError } from '../../src/errors.ts'

const EXPECTED = ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7/32']

function read(text: string) {
  return parseRangesDocument(text, { name: 'GPTBot.json' })
}

describe('a document of address ranges', () => {
  it.each([
    [
      'the usual shape',
      '{"creationTime":"2025-10-30T11:00:00.000000","prefixes":[{"ipv4Prefix":"192.0.2.0/24"},{"ipv6Prefix":"2001:db8::/32"},{"ipv4Prefix":"198.51.100.7/32"}]}',
    ],
    [
      'ip_prefix and lone addresses',
      '{"prefixes":[{"ip_prefix":"192.0.2.0/24"},{"ip_prefix":"2001:db8::/32"},{"ip_prefix":"198.51.100.7"}]}',
    ],
    [
      'ips with ip_address',
      '{"ips":[{"ip_address":"192.0.2.0/24"},{"ip_address":"2001:db8::/32"},{"ip_address":"198.51.100.7"}]}',
    ],
    [
      'two lists',
      '{"prefixes":[{"ip_prefix":"192.0.2.0/24"}],"ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/32"}],"ips":["198.51.100.7"]}',
    ],
    [
      'both families in an entry',
      '{"prefixes":[{"ipv4Prefix":"192.0.2.0/24","ipv6Prefix":"2001:db8::/32"},{"ipv4Prefix":"198.51.100.7","service":"x"}]}',
    ],
    ['plain texts', '{"prefixes":["192.0.2.0/24","2001:DB8::/32","198.51.100.7"]}'],
    ['a bare array', '["192.0.2.0/24","2001:db8::/32","198.51.100.7/32","192.0.2.0/24"]'],
    [
      'a byte-order mark and zero-width spaces',
      '\uFEFF{"prefixes":[{"ipv4Prefix":"192.0.2.0\u200B/24"},{"ipv6Prefix":"\u200B2001:db8::/32"},{"ipv4Prefix":"198.51.100.7/32\u200B"}]}\n',
    ],
    [
      'escaped zero-width spaces',
      String.raw`{"prefixes":[{"ipv4Prefix":"192.0.2.0\u200b/24"},{"ipv6Prefix":"2001:db8::/32"},{"ipv4Prefix":"198.51.100.7"}]}`,
    ],
    [
      'JSON within a web page',
      `<!DOCTYPE html><html><head><script>var a = {"prefixes": 1}</script></head><body><pre>no list</pre><p>Addresses</p>
       <pre class="x"><code>{&quot;creationTime&quot;: &quot;2026&quot;, <span>&quot;prefixes&quot;</span>: [{"ip_prefix": "192.0.2.0/24"}, {"ip_prefix": "2001:db8::/32"},
       {"ip_prefix": "198.51.100.7"}]}</code></pre></body></html>`,
    ],
    [
      'JSON within code alone',
      '<html><code>{"prefixes":["192.0.2.0/24","2001:db8::/32","198.51.100.7"]}</code></html>',
    ],
  ])('is read in %s', (_name, text) => {
    expect(read(text)).toEqual(EXPECTED)
  })

  it.each([
    ['', 'no list of address ranges'],
    ['not json', 'no list of address ranges'],
    ['{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}', 'no list of address ranges'],
    ['{}', 'no list of address ranges'],
    ['{"prefixes":{}}', 'no list of address ranges'],
    ['"192.0.2.0/24"', 'no list of address ranges'],
    ['<html><body>Access denied for 192.0.2.7</body></html>', 'no list of address ranges'],
    ['<pre>{"prefixes":[', 'no list of address ranges'],
    ['{"prefixes":[]}', 'the list of address ranges is empty'],
    ['[]', 'the list of address ranges is empty'],
    [
      '{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"},{"ipv4Prefix":"192.0.2.300/32"}]}',
      'prefixes[1]: {"ipv4Prefix":"192.0.2.300/32"} is no address range',
    ],
    ['{"prefixes":[{"ipv4Prefix":"192.0.2.1/24"}]}', 'prefixes[0]: {"ipv4Prefix":"192.0.2.1/24"} is no address range'],
    ['{"prefixes":[{"service":"x"}]}', 'prefixes[0]: {"service":"x"} is no address range'],
    ['{"prefixes":[{"ipv4Prefix":null}]}', 'prefixes[0]: {"ipv4Prefix":null} is no address range'],
    ['{"prefixes":[{"ipv4Prefix":"192.0.2.0/24","ipv6Prefix":"x"}]}', 'prefixes[0]: '],
    ['{"ips":[7]}', 'ips[0]: 7 is no address range'],
    ['{"prefixes":["0.0.0.0/0"]}', 'prefixes[0]: 0.0.0.0/0 is too wide to tell a bot by: at least /12 is taken'],
    ['{"prefixes":["192.0.2.0/24","10.0.0.0/8"]}', 'prefixes[1]: 10.0.0.0/8 is too wide'],
    ['{"prefixes":["10.0.0.0/11"]}', 'prefixes[0]: 10.0.0.0/11 is too wide'],
    ['{"prefixes":["::ffff:10.0.0.0/104"]}', 'prefixes[0]: 10.0.0.0/8 is too wide'],
    ['{"prefixes":[{"ipv6Prefix":"2000::/3"}]}', 'prefixes[0]: 2000::/3 is too wide'],
    ['{"prefixes":[{"ipv6Prefix":"2001:da0::/27"}]}', 'prefixes[0]: 2001:da0::/27 is too wide'],
  ])('is refused whole, naming the file and the entry: %s', (text, message) => {
    expect(() => read(text)).toThrow(CommandError)
    expect(() => read(text)).toThrow(`GPTBot.json: ${message}`)
  })

  it('is refused when it is longer than any real one', () => {
    const text = JSON.stringify(Array.from({ length: 100_001 }, () => '192.0.2.7'))
    expect(() => read(text)).toThrow('GPTBot.json: 100001 prefixes; at most 100000 are taken.')
  })

  it('takes time in proportion to its length, whatever page it is', () => {
    const started = performance.now()
    for (const piece of ['<pre>', '<', '<code', '<pre></pre>', '&', '{'])
      expect(() => read(`<html>${piece.repeat(200_000)}`)).toThrow(CommandError)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('a page that lists its ranges in its text', () => {
  const page = `<html><p>Our bot 1.0 (since 2024-05-01) comes from:</p><ul><li>192.0.2.0/24</li><li>2001:db8::/32,</li>
    <li><b>198.51.100.7</b></li><li>192.0.2.9/24</li></ul></html>`

  it('gives them where the catalogue says that it is such a page', () => {
    expect(parseRangesDocument(page, { name: 'page', isPage: true })).toEqual(EXPECTED)
  })

  it('is refused otherwise, since pages that turn robots away name an address too', () => {
    expect(() => read(page)).toThrow('GPTBot.json: no list of address ranges')
  })

  it('is refused when it has none', () => {
    expect(() => parseRangesDocument('<html>Moved.</html>', { name: 'page', isPage: true })).toThrow(
      'page: the list of address ranges is empty.',
    )
  })

  it('may become JSON one day', () => {
    expect(parseRangesDocument('["192.0.2.0/24"]', { name: 'page', isPage: true })).toEqual(['192.0.2.0/24'])
  })
})
