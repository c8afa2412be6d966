import { describe, expect, it } from 'vitest'
import { createLoadedRanges, type LoadedPrefix, verifyHit } from '../../src/derive/bot-verification.ts'
import { CommandError } from '../../src/errors.ts'
import { botsOfDocument, findBotByName } from '../../src/reference/bots.ts'

const GPTBOT = 'https://openai.com/gptbot.json'
const SEARCHBOT = 'https://openai.com/searchbot.json'
const CLAUDE = 'https://claude.com/crawling/bots.json'

function loaded(documentUrl: string, prefix: string, firstSeen = '2026-11-01T00:00:00.000Z'): LoadedPrefix {
  return { documentUrl, prefix, firstSeen }
}

const RANGES = createLoadedRanges([
  loaded(GPTBOT, '192.0.2.0/24'),
  loaded(SEARCHBOT, '198.51.100.0/24'),
  loaded(CLAUDE, '203.0.113.0/24'),
  loaded(CLAUDE, '2001:db8::/32'),
])

function judge(name: string, address: string | undefined, at = '2026-11-20T07:03:09Z', ranges = RANGES) {
  return verifyHit({ bot: findBotByName(name)!, address, timeMs: Date.parse(at) }, ranges)
}

describe('a hit', () => {
  it('is verified when its address is in the ranges published for its bot', () => {
    expect(judge('GPTBot', '192.0.2.9')).toBe('verified')
    expect(judge('GPTBot', '::ffff:192.0.2.9')).toBe('verified')
    expect(judge('ClaudeBot', '[2001:db8::1]:443')).toBe('verified')
  })

  it('is spoofed when ranges are published for its bot and its address is in none', () => {
    expect(judge('GPTBot', '203.0.113.9')).toBe('spoofed')
    expect(judge('ClaudeBot', '2001:db9::1')).toBe('spoofed')
  })

  it('is not verified by another document of the same provider', () => {
    expect([judge('GPTBot', '198.51.100.9'), judge('OAI-SearchBot', '192.0.2.9')]).toEqual(['spoofed', 'spoofed'])
  })

  it('is verified by the one document of all the bots that it serves', () => {
    const names = botsOfDocument(CLAUDE).map(({ name }) => name)
    expect(names.map((name) => judge(name, '203.0.113.9'))).toEqual(names.map(() => 'verified'))
  })
})

describe('a hit is unverifiable', () => {
  it('when no ranges are published for its bot, whatever is loaded', () => {
    expect(['Bytespider', 'meta-externalagent', 'claude-code'].map((name) => judge(name, '192.0.2.9'))).toEqual([
      'unverifiable',
      'unverifiable',
      'unverifiable',
    ])
  })

  it('while no ranges were loaded for its bot', () => {
    expect(judge('PerplexityBot', '192.0.2.9')).toBe('unverifiable')
    expect(judge('GPTBot', '192.0.2.9', '2026-11-20T00:00:00Z', createLoadedRanges([]))).toBe('unverifiable')
  })

  it('when the log has no usable address', () => {
    const fields = [undefined, '', '-', 'crawl.example.com', 'd41d8cd98f00b204', '192.0.2.xxx']
    expect(fields.map((field) => judge('GPTBot', field))).toEqual(fields.map(() => 'unverifiable'))
  })

  it('when it is over two years older than the first ranges loaded, wherever it comes from', () => {
    expect(judge('GPTBot', '192.0.2.9', '2024-10-31T23:59:59.999Z')).toBe('unverifiable')
    expect(judge('GPTBot', '203.0.113.9', '2024-10-31T23:59:59.999Z')).toBe('unverifiable')
    expect(judge('GPTBot', '192.0.2.9', '2024-11-01T00:00:00Z')).toBe('verified')
    expect(judge('GPTBot', '203.0.113.9', '2024-11-01T00:00:00Z')).toBe('spoofed')
  })
})

describe('prefixes', () => {
  const ranges = createLoadedRanges([
    loaded(GPTBOT, '192.0.2.0/24', '2026-01-01T00:00:00.000Z'),
    loaded(GPTBOT, '198.51.100.0/24', '2026-11-01T00:00:00.000Z'),
    loaded(SEARCHBOT, '198.51.100.0/24', '2026-11-01T00:00:00.000Z'),
  ])

  it('verify hits of any day once they were published', () => {
    expect(judge('GPTBot', '198.51.100.9', '2026-01-01T00:00:00Z', ranges)).toBe('verified')
    expect(judge('GPTBot', '192.0.2.9', '2027-01-01T00:00:00Z', ranges)).toBe('verified')
  })

  it('count two years from the first of their own document', () => {
    expect(judge('GPTBot', '203.0.113.9', '2024-01-01T00:00:00Z', ranges)).toBe('spoofed')
    expect(judge('OAI-SearchBot', '203.0.113.9', '2024-01-01T00:00:00Z', ranges)).toBe('unverifiable')
  })

  it('that were stored damaged are named', () => {
    expect(() => createLoadedRanges([loaded(GPTBOT, '192.0.2.0/99')])).toThrow(CommandError)
    expect(() => createLoadedRanges([loaded(GPTBOT, '192.0.2.0/99')])).toThrow(
      'The stored range "192.0.2.0/99" of https://openai.com/gptbot.json is damaged. Run bots update.',
    )
  })

  it('may be as many as a document can have', () => {
    const many = Array.from({ length: 150_000 }, (_, index) =>
      loaded(GPTBOT, `10.${index >>> 14}.${(index >>> 6) & 255}.${(index & 63) * 4}/30`),
    )
    expect(judge('GPTBot', '10.1.2.3', '2026-11-20T00:00:00Z', createLoadedRanges(many))).toBe('verified')
  })
})
