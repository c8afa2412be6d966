import { getDomain, getPublicSuffix } from 'tldts'
import { describe, expect, it } from 'vitest'
import content from '../../data/source_kinds.json' with { type: 'json' }
import { SOURCE_KINDS } from '../../src/domain/enums.ts'
import { OWN_SOURCE_KINDS_MAX } from '../../src/limits.ts'
import { listHostingKinds, listSourceKinds, parseSourceKinds } from '../../src/reference/source-kinds.ts'

const PRIVATE = { allowPrivateDomains: true }

describe('the bundled source kinds', () => {
  const domains = content.source_kinds.flatMap((group) => group.domains)
  const suffixes = content.suffixes.flatMap((group) => group.suffixes)

  it('know at least 400 domains', () => {
    expect(listSourceKinds().size).toBeGreaterThanOrEqual(400)
  })

  it('name each domain once, so that it has one kind', () => {
    expect(domains.filter((domain, index) => domains.indexOf(domain) !== index)).toEqual([])
    expect(listSourceKinds().size).toBe(domains.length)
  })

  it('are keyed by registrable domains of the public suffix list with its private section', () => {
    expect(domains.filter((domain) => getDomain(domain, PRIVATE) !== domain)).toEqual([])
  })

  it('have real public suffixes where a kind holds for all domains under one', () => {
    expect(suffixes.filter((suffix) => getPublicSuffix(`x.${suffix}`, PRIVATE) !== suffix)).toEqual([])
    expect(new Set(suffixes).size).toBe(suffixes.length)
  })

  it('use every kind but brand, which depends on the site, and unknown', () => {
    const used = new Set(listSourceKinds().values())
    expect(SOURCE_KINDS.filter((kind) => !used.has(kind))).toEqual(['brand', 'unknown'])
  })

  it('stand in order within a group', () => {
    for (const group of content.source_kinds) expect(group.domains).toEqual(group.domains.toSorted())
  })

  it('tell what well-known domains carry', () => {
    const known = {
      'reddit.com': 'forum',
      'ycombinator.com': 'forum',
      'youtube.com': 'video',
      'g2.com': 'review',
      'alternativeto.net': 'roundup',
      'nytimes.com': 'editorial',
      'amazon.de': 'marketplace',
      'wikipedia.org': 'reference',
      'linkedin.com': 'social',
      'medium.com': 'publishing',
      'allrecipes.com': 'recipe',
      'acme.blogspot.com': 'publishing',
      'www.gov.uk': 'reference',
      'agency.gov': 'reference',
      'acme.example': undefined,
      localhost: undefined,
    }
    const kindOf = (domain: string) =>
      listSourceKinds().get(domain) ?? listHostingKinds().get(getPublicSuffix(domain, PRIVATE) ?? '')
    expect(Object.fromEntries(Object.keys(known).map((domain) => [domain, kindOf(domain)]))).toEqual(known)
  })
})

describe('a site’s own source kinds', () => {
  const EXPECTED = new Map([
    ['acme.com', 'editorial'],
    ['shop.example', 'marketplace'],
  ])

  it.each([
    ['lines', '# ours\nacme.com editorial\n\n  shop.example\tmarketplace \r\n'],
    ['lines with commas and the columns’ names', 'domain,source_kind\nacme.com,editorial\nshop.example , marketplace'],
    ['a JSON object', '{"acme.com": "editorial", "shop.example": "marketplace"}'],
    [
      'a JSON array',
      '[{"domain": "acme.com", "source_kind": "editorial"}, {"domain": "shop.example", "source_kind": "marketplace"}]',
    ],
    [
      'what the command shows as JSON',
      '{"site_id": "x", "data": [{"domain": "acme.com", "source_kind": "editorial"}, {"domain": "shop.example", "source_kind": "marketplace"}]}',
    ],
    ['a file with a byte-order mark', '\uFEFFACME.com editorial\nshop.example. marketplace'],
  ])('are read from %s', (_name, text) => {
    expect(parseSourceKinds(text)).toEqual(EXPECTED)
  })

  it('may name a domain of the private section, an address and a bare host', () => {
    expect([
      ...parseSourceKinds('acme.github.io forum\n192.0.2.7 forum\nwiki reference\nmünchen.example video').keys(),
    ]).toEqual(['acme.github.io', '192.0.2.7', 'wiki', 'xn--mnchen-3ya.example'])
  })

  it('are none in an empty file', () => {
    expect(parseSourceKinds('')).toEqual(new Map())
    expect(parseSourceKinds('[]')).toEqual(new Map())
  })

  it('are refused together, with every fault and its line', () => {
    const text =
      'news.acme.com editorial\nacme.com magazine\nco.uk forum\nhttps://a.example/ video\nb.example\nc.example forum\nc.example video'
    expect(() => parseSourceKinds(text)).toThrow(
      [
        'The source kinds were refused and nothing was changed:',
        'line 1: news.acme.com: a kind belongs to a registrable domain; write acme.com',
        'line 2: magazine: use one of forum, video, review, roundup, editorial, marketplace, reference, social, publishing, recipe, brand, unknown',
        'line 3: co.uk: write a registrable domain, like example.com',
        'line 4: https://a.example/: write a registrable domain, like example.com',
        'line 5: write domain and source_kind',
        'line 7: c.example stands above already; remove one',
      ].join('\n  '),
    )
  })

  it('are refused when there are too many', () => {
    const text = Array.from({ length: OWN_SOURCE_KINDS_MAX + 1 }, (_, index) => `a${index}.example forum`).join('\n')
    expect(() => parseSourceKinds(text)).toThrow(`keep it to ${OWN_SOURCE_KINDS_MAX}`)
  })
})
