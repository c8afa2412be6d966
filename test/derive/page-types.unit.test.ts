import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPageTypeMatcher } from '../../src/derive/page-types.ts'
import { PAGE_TYPES } from '../../src/domain/enums.ts'
import { listPageTypeRules, parsePageTypeRules } from '../../src/reference/page-types.ts'

const matcher = createPageTypeMatcher()

/** The paths of the promised rules, spelled out; each is tried in every spelling below. */
const PROMISED = {
  technical_infra: [
    '/robots.txt',
    '/sitemap.xml',
    '/sitemap_index.xml',
    '/sitemaps/news.xml',
    '/llms.txt',
    '/.well-known/security.txt',
    '/.well-known',
    '/api',
    '/api/v1/items',
    '/feed',
    '/blog/feed',
    '/rss',
    '/rss.xml',
    '/atom.xml',
    '/blog/rss',
    '/favicon.ico',
    '/style.css',
    '/app.js',
    '/blog/photo.jpg',
    '/docs/image.png',
    '/fonts/a.woff2',
    '/assets/x',
    '/static/x',
  ],
  blog_editorial: [
    '/blog',
    '/blog/post',
    '/blog/2026/03/post',
    '/news',
    '/news/x',
    '/articles/x',
    '/insights/x',
    '/blog/pricing',
  ],
  docs_support: ['/docs', '/docs/a/b', '/help', '/help/x', '/support/x', '/kb/x', '/faq', '/docs/manual.pdf'],
  product_page: [
    '/products',
    '/products/x',
    '/products/x/reviews',
    '/product/x',
    '/product/pricing',
    '/shop/x',
    '/features/x',
  ],
  pricing: ['/pricing', '/pricing/teams', '/pricing-enterprise', '/pricing.html', '/plans'],
  brand_about: [
    '/about',
    '/about-us',
    '/about/team',
    '/company/x',
    '/team',
    '/careers',
    '/careers/x',
    '/press',
    '/press-kit',
    '/contact',
  ],
  ugc_page: ['/community', '/community/x', '/forum/x', '/reviews', '/reviews/x', '/questions/1', '/u/ann'],
  landing_page: ['/lp/x', '/landing/x', '/solutions', '/solutions/x', '/use-cases/x'],
  other: ['/xyz', '/blogger', '/planspiel', '/teams-of-x', '/faqx', '/manual.pdf'],
} as const

describe('the promised page types', () => {
  const cases = Object.entries(PROMISED).flatMap(([type, paths]) => paths.map((path) => [path, type] as const))

  it.each(cases)('%s is %s, however it is written', (path, type) => {
    const encoded = path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const spellings = [path, path.toUpperCase(), `${path}/`, `${path}?a=/blog/#/docs`, `${path}#top`, encoded]
    const further = [
      `/${path}`,
      path.slice(1),
      `https://acme.com${path}`,
      `${path};jsessionid=A1`,
      `/de${path}`,
      `/en-us${path}`,
    ]
    expect([...spellings, ...further].map((spelling) => [spelling, matcher.find(spelling)])).toEqual(
      [...spellings, ...further].map((spelling) => [spelling, type]),
    )
  })

  it.each([
    '/',
    '',
    '//',
    '/?a=b',
    '/#x',
    '/de',
    '/de/',
    '/en-us',
    '/EN_US/',
    '/pt-br',
    '/zh-hans',
    '/zh-hant-tw',
    '/es-419',
    '/intl/de',
    'https://acme.com',
  ])('the root is a landing page, with a language code or alone: %j', (path) => {
    expect(matcher.find(path)).toBe('landing_page')
  })

  it('keeps a leading segment that is no language code', () => {
    const kept = {
      '/lp': 'landing_page',
      '/go': 'landing_page',
      '/xx/news': 'other',
      '/de-xx/news': 'other',
      '/us/news': 'other',
    }
    expect(Object.fromEntries(Object.keys(kept).map((path) => [path, matcher.find(path)]))).toEqual(kept)
  })

  it('skips one language code only', () => {
    expect(matcher.find('/de/fr/docs/x')).toBe('docs_support')
    expect(matcher.find('/de/fr')).toBe('other')
  })

  it('finds a rule for each bundled pattern that no earlier one takes away', () => {
    const paths = listPageTypeRules().map(({ pattern, pageType }) => [pattern.replaceAll('*', 'zq'), pageType] as const)
    const taken = paths.filter(([path, type]) => matcher.find(path) !== type).map(([path]) => path)
    expect(taken).toEqual([])
  })
})

describe('further bundled rules', () => {
  it.each([
    ['/.env', 'technical_infra'],
    ['/wp-login.php', 'technical_infra'],
    ['/graphql', 'technical_infra'],
    ['/search', 'technical_infra'],
    ['/blog/post/amp', 'blog_editorial'],
    ['/enterprise/pricing', 'pricing'],
    ['/blog/how-pricing-works', 'blog_editorial'],
    ['/my-plans-for-2026', 'other'],
    ['/developers/x', 'docs_support'],
    ['/changelog', 'docs_support'],
    ['/@ann', 'ugc_page'],
    ['/t/a-thread', 'ugc_page'],
    ['/item/reviews', 'ugc_page'],
    ['/2026/03/a-post', 'blog_editorial'],
    ['/case-studies/x', 'blog_editorial'],
    ['/integrations/x', 'product_page'],
    ['/x/product/y', 'product_page'],
    ['/index.html', 'landing_page'],
    ['/acme-vs-other', 'landing_page'],
    ['/other-alternatives', 'landing_page'],
    ['/demo', 'landing_page'],
    ['/team/ann', 'brand_about'],
    ['/security', 'brand_about'],
    ['/privacy', 'brand_about'],
  ])('%s is %s', (path, type) => {
    expect(matcher.find(path)).toBe(type)
  })
})

describe('a site’s own rules', () => {
  const own = createPageTypeMatcher(
    parsePageTypeRules(
      '/blog/releases/* product_page\n/blog/* other\n/de/impressum technical_infra\n*/a*b*c pricing\n/Übersicht landing_page\n/docs blog_editorial',
    ),
  )

  it('go before the bundled ones, in their order', () => {
    expect(['/blog/releases/1', '/blog/releases', '/blog/x', '/news/x'].map((path) => own.find(path))).toEqual([
      'product_page',
      'product_page',
      'other',
      'blog_editorial',
    ])
  })

  it('apply with a leading language code and without', () => {
    expect(['/de/blog/x', '/de/impressum', '/impressum'].map((path) => own.find(path))).toEqual([
      'other',
      'technical_infra',
      'brand_about',
    ])
  })

  it('compare paths decoded and in lower case', () => {
    expect(['/%C3%9Cbersicht/', '/übersicht'].map((path) => own.find(path))).toEqual(['landing_page', 'landing_page'])
  })

  it('without a star mean that path alone', () => {
    expect(['/docs', '/docs/x'].map((path) => own.find(path))).toEqual(['blog_editorial', 'docs_support'])
  })

  it('take several stars', () => {
    expect(['/x/a1b2c', '/x/abc', '/x/acb', '/x/ab', '/a/b/c'].map((path) => own.find(path))).toEqual([
      'pricing',
      'pricing',
      'other',
      'other',
      'pricing',
    ])
  })

  it('of a single star take every path', () => {
    const all = createPageTypeMatcher([{ pattern: '/*', pageType: 'pricing' }])
    expect(['/', '/docs/x', '/robots.txt'].map((path) => all.find(path))).toEqual(['pricing', 'pricing', 'pricing'])
  })

  it('match as an expression of the same meaning does', () => {
    const letters = fc.stringMatching(/^[xy/*]{0,8}$/)
    fc.assert(
      fc.property(letters, fc.stringMatching(/^[xy/]{0,10}$/), (rest, tail) => {
        const [rule] = parsePageTypeRules(`/${rest} pricing`)
        const path = `/${tail}`.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
        const source = rule!.pattern.replace(/(?<=.)\/\*$/, '(/*)?').replaceAll('*', '.*')
        const expected = new RegExp(`^${source}$`).test(path) ? 'pricing' : matcher.find(path)
        return createPageTypeMatcher([rule!]).find(path) === expected
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('any path', () => {
  it('has a type, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (path) => PAGE_TYPES.includes(matcher.find(path))),
    )
  })

  it('takes time in proportion to its length', () => {
    const own = createPageTypeMatcher([{ pattern: '*a*a*a*a*b', pageType: 'pricing' }])
    const started = performance.now()
    for (const piece of ['/', 'a', '/a', '-vs', '%', '%41', ';jsessionid=', '*', '/de', '?', '#', '/intl'])
      own.find(`/${piece.repeat(65_536)}`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
