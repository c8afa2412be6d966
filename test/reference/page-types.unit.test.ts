import { describe, expect, it } from 'vitest'
import content from '../../data/page_types.json' with { type: 'json' }
import { OWN_PAGE_TYPE_RULES_MAX } from '../../src/limits.ts'
import { getLocaleCodes, listPageTypeRules, parsePageTypeRules } from '../../src/reference/page-types.ts'

describe('the bundled page-type rules', () => {
  it('start with the promised ones, in the promised order', () => {
    const promised = content.rules.filter(({ source }) => source === 'contract')
    expect(content.rules.slice(0, promised.length)).toEqual(promised)
    const types = promised.map(({ page_type }) => page_type)
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'technical_infra',
      'blog_editorial',
      'docs_support',
      'product_page',
      'pricing',
      'brand_about',
      'ugc_page',
      'landing_page',
    ])
    expect(promised.slice(3).map(({ patterns }) => patterns)).toEqual([
      ['/blog/*', '/news/*', '/articles/*', '/insights/*'],
      ['/docs/*', '/help/*', '/support/*', '/kb/*', '/faq'],
      ['/products/*', '/product/*', '/shop/*', '/features/*'],
      ['/pricing*', '/plans'],
      ['/about*', '/company/*', '/team', '/careers*', '/press*', '/contact'],
      ['/community/*', '/forum/*', '/reviews/*', '/questions/*', '/u/*'],
      ['/', '/lp/*', '/landing/*', '/solutions/*', '/use-cases/*'],
    ])
  })

  it('name each pattern once: a second one could never decide', () => {
    const patterns = listPageTypeRules().map(({ pattern }) => pattern)
    expect(patterns.filter((pattern, index) => patterns.indexOf(pattern) !== index)).toEqual([])
  })

  it('know the language codes of ISO 639-1, and no path word among them', () => {
    const { languages, regions } = getLocaleCodes()
    expect([languages.size, regions.size]).toEqual([183, 251])
    expect(['lp', 'go', 'kb', 'vs', 'hc', 'qa', 'us'].filter((word) => languages.has(word))).toEqual([])
  })
})

describe('a site’s own page-type rules', () => {
  const EXPECTED = [
    { pattern: '/guides/*', pageType: 'docs_support' },
    { pattern: '/über', pageType: 'brand_about' },
    { pattern: '*.pdf', pageType: 'docs_support' },
  ]

  it.each([
    ['lines', '# ours\n/guides/*   docs_support\n\n/%C3%9Cber/\tbrand_about\r\n*.PDF docs_support\n'],
    ['lines with commas', 'pattern,page_type\n/guides/*,docs_support\n/Über, brand_about\n*.pdf,docs_support'],
    ['a JSON object', '{"/guides/*": "docs_support", "/über": "brand_about", "*.pdf": "docs_support"}'],
    ['a JSON array', JSON.stringify(EXPECTED.map(({ pattern, pageType }) => ({ pattern, page_type: pageType })))],
  ])('are read in their order from %s', (_name, text) => {
    expect(parsePageTypeRules(text)).toEqual(EXPECTED)
  })

  it('keep the root as it is', () => {
    expect(parsePageTypeRules('/ brand_about')).toEqual([{ pattern: '/', pageType: 'brand_about' }])
  })

  it('are none in an empty file', () => {
    expect(parsePageTypeRules('\n# nothing yet\n')).toEqual([])
  })

  it('are refused together, with every fault and its line', () => {
    const text = 'docs/* docs_support\n/a blog\n/b?x=1 other\n/c\n/d other extra\n/e other\n/E/ other'
    expect(() => parsePageTypeRules(text)).toThrow(
      [
        'The page-type rules were refused and nothing was changed:',
        'line 1: docs/*: begin the pattern with / or *',
        'line 2: blog: use one of blog_editorial, product_page, docs_support, landing_page, brand_about, pricing, ugc_page, technical_infra, other',
        'line 3: /b?x=1: a path ends before ? and #; leave them out',
        'line 4: write pattern and page_type',
        'line 5: write pattern and page_type',
        'line 7: /E/ stands above already, and the first match decides; remove one',
      ].join('\n  '),
    )
  })

  it.each([
    ['[{"pattern": "/a"}]', 'entry 1: write pattern and page_type'],
    ['["/a"]', 'entry 1: write pattern and page_type'],
    ['{"/a": 1}', 'entry 1: write pattern and page_type'],
    ['[{"pattern": "/a", "page_type": "other"}', 'the file is no valid JSON'],
    [`/${'a'.repeat(500)} other`, 'line 1: keep the pattern to 500 characters'],
  ])('are refused for what stands in %j', (text, message) => {
    expect(() => parsePageTypeRules(text)).toThrow(message)
  })

  it('list the first twenty faults and count the rest', () => {
    const text = Array.from({ length: 25 }, () => 'x').join('\n')
    expect(() => parsePageTypeRules(text)).toThrow(/line 20: [^\n]*\n {2}and 5 more$/)
  })

  it('are refused when there are too many', () => {
    const text = Array.from({ length: OWN_PAGE_TYPE_RULES_MAX + 1 }, (_, index) => `/a${index} other`).join('\n')
    expect(() => parsePageTypeRules(text)).toThrow(`keep it to ${OWN_PAGE_TYPE_RULES_MAX}`)
  })
})
