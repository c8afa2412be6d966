import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toBrandKey } from '../../src/derive/brand-key.ts'
import { createMentionMatcher } from '../../src/derive/mentions.ts'
import type { BrandSpellings } from '../../src/domain/brand.ts'

/** Brands by their spellings; the first is the own brand. */
function brandsOf(...spellings: readonly (string | readonly string[])[]): BrandSpellings[] {
  return spellings.map((given, brandNo) => ({ brandNo, spellings: typeof given === 'string' ? [given] : given }))
}

function findNames(text: string, ...names: readonly string[]): string[] {
  return createMentionMatcher(brandsOf(...names))
    .find(text)
    .map((brandNo) => names[brandNo]!)
}

describe('whole words', () => {
  test.each([
    "Acme's",
    '(Acme)',
    'Acme,',
    'Acme',
    '"Acme"',
    'try Acme.',
    '-Acme-',
    'acme',
    'ACME',
    '«Acme»',
    '_Acme_',
    '🚀Acme🚀',
    'a/Acme/b',
  ])('Acme is in %j', (text) => {
    expect(findNames(text, 'Acme')).toEqual(['Acme'])
  })

  test.each([
    'Acmeville',
    'MyAcme',
    'Acme2',
    '3Acme',
    'Acme\u0301',
    'Acme\u20e3',
    'Acm',
    'Ac me',
    'Acmeß',
    '𝒜Acme',
    '',
  ])('Acme is not in %j', (text) => {
    expect(findNames(text, 'Acme')).toEqual([])
  })

  test('punctuation at the ends of a spelling belongs to it, and the border is outside of it', () => {
    expect(findNames('Yahoo! or Yahoo', 'Yahoo!')).toEqual(['Yahoo!'])
    expect(findNames('Yahoo', 'Yahoo!')).toEqual([])
    expect(findNames('Yahoo!s', 'Yahoo!')).toEqual([])
    expect(findNames('Yahoo!!', 'Yahoo!')).toEqual(['Yahoo!'])
    expect(findNames('(C++ Builders)', 'C++ Builders', 'C++')).toEqual(['C++ Builders'])
    expect(findNames('C++11, C++, ASP.NET, .NET', 'C++', '.NET')).toEqual(['C++', '.NET'])
    expect(findNames('ask monday.com, not monday.comX', 'Monday.com')).toEqual(['Monday.com'])
  })

  test('very short names and names that are words', () => {
    expect(findNames('LinkedIn, li, L.I.', 'LI')).toEqual(['LI'])
    expect(findNames('link lip ali', 'LI')).toEqual([])
    expect(findNames('X and xbox', 'X')).toEqual(['X'])
    expect(findNames('X🚀', 'X')).toEqual(['X'])
    expect(findNames('put it in a box; no notion', 'Box', 'Notion')).toEqual(['Box', 'Notion'])
  })

  test('right-to-left text, with its marks of direction', () => {
    expect(findNames('נסו את \u200fAcme\u200f!', 'Acme')).toEqual(['Acme'])
    expect(findNames('جرب علامة، فهي جيدة', 'علامة')).toEqual(['علامة'])
    expect(findNames('جرب وعلامة', 'علامة')).toEqual([])
    expect(findNames('שָׁלוֹם', 'שלום')).toEqual([])
  })
})

describe('borders between scripts', () => {
  test.each([
    ['Notionは', 'Notion'],
    ['使用Notion管理', 'Notion'],
    ['Acme𠀀', 'Acme'],
    ['推荐小米手机', '小米'],
    ['小米14', '小米'],
    ['14小米', '小米'],
    ['ใช้Notionแล้ว', 'Notion'],
    ['Yahoo!は', 'Yahoo!'],
    ['は!Go', '!Go'],
    ['HubSpot을', 'HubSpot'],
    ['وHubSpot', 'HubSpot'],
    ['وَHubSpot', 'HubSpot'],
    ['בNotion', 'Notion'],
    ['Slackе', 'Slack'],
    ['삼성은', '삼성'],
    ['삼성에서', '삼성'],
    ['11번가에서', '11번가'],
    ['삼성은2', '삼성'],
    ['「京」', '京'],
  ])('%j names %j', (text, name) => {
    expect(findNames(text, name)).toEqual([name])
  })

  test.each([
    ['京都', '京'],
    ['京A', '京'],
    ['A京', '京'],
    ['2京', '京'],
    ['삼성동', '삼성'],
    ['삼성은행', '삼성'],
    ['대삼성', '삼성'],
    ['삼성2', '삼성'],
    ['Acme2は', 'Acme'],
    ['2は', 'は2'],
    ['ก\u0e34', 'ก'],
    ['小米\u0301', '小米'],
    ['나Acme1', 'Acme'],
  ])('%j does not name %j', (text, name) => {
    expect(findNames(text, name)).toEqual([])
  })

  test('several brands stand side by side', () => {
    expect(findNames('NotionとSlackを、小米华为', 'Slack', 'Notion', '小米', '华为')).toEqual([
      'Notion',
      'Slack',
      '小米',
      '华为',
    ])
    expect(findNames('삼성은네이버', '삼성', '네이버')).toEqual([])
  })
})

describe('what shows nothing, dashes, apostrophes and addresses', () => {
  test.each([
    ['Hub\u00adSpot', 'HubSpot'],
    ['Hub&shy;Spot', 'HubSpot'],
    ['\u200bHub\u200bSpot\ufeff', 'HubSpot'],
    ['Hub\u200c\u200d\u2060Spot', 'HubSpot'],
    ['HubSpot', 'Hub\u00adSpot'],
    ['T–Mobile', 'T-Mobile'],
    ['T-Mobile', 'T–Mobile'],
    ['3–4', '3–4'],
    ['McDonaldʼs', "McDonald's"],
    ['Acmeʼs', 'Acme'],
    ['@Acme', 'Acme'],
    ['Acme@work', 'Acme'],
  ])('%j names %j', (text, name) => {
    expect(findNames(text, name)).toEqual([name])
  })

  test.each([
    ['3–4', '3-4'],
    ['Hub\u00adSpots', 'HubSpot'],
    ['sales@acme.com', 'Acme'],
    ['Acme.sales+x@mail.example', 'Acme'],
    ['mail acme_x@acme.co.uk.', 'acme'],
    ['**acme@acme.com**', 'Acme'],
    ['acme\\_x@acme.com', 'x'],
    ['联系acme@acme.com获取', 'Acme'],
  ])('%j does not name %j', (text, name) => {
    expect(findNames(text, name)).toEqual([])
  })

  test('an address ends where the sentence goes on', () => {
    expect(findNames('ask x@bolt.com, Acme or Acme@', 'Bolt', 'Acme')).toEqual(['Acme'])
  })
})

describe('exact spellings', () => {
  const matcher = createMentionMatcher([
    { brandNo: 0, spellings: ['Monday', 'MONDAY', 'monday.com'], exact: ['Monday', 'MONDAY'] },
    { brandNo: 1, spellings: ['Straße', 'Notion\u00ae'], exact: ['Straße', 'Notion\u00ae'] },
    { brandNo: 2, spellings: ['monday'] },
  ])

  test.each([
    ['Monday, MONDAY', [0]],
    ['on monday', [2]],
    ['Monday.com, MONDAY.COM', [0]],
    ['mONDAY', [2]],
    ['the notion of Notion', [1]],
    ['the notion', []],
    ['große Straße, monday', [1, 2]],
    ['STRASSE in großer monday', [2]],
    ['ß İ Monday', [0]],
    ['Ｎｏｔｉｏｎ Ｍｏｎｄａｙ', [1, 0]],
  ])('%j', (text, expected) => {
    expect(matcher.find(text)).toEqual(expected)
  })

  test('a whole name is compared without case all the same', () => {
    expect([matcher.match('MonDay'), matcher.match('NOTION')]).toEqual([0, 1])
  })
})

describe('letters', () => {
  test.each([
    ['Ａｃｍｅ', 'Acme'],
    ['Straße', 'STRASSE'],
    ['STRASSE', 'Straße'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'Οδος'],
    ['Οδοσ', 'ΟΔΟΣ'],
    ['İSTANBUL', 'İstanbul'],
    ['Cafe\u0301', 'CAFÉ'],
    ['J\u030c', 'ǰ'],
    ['Ϊ\u0301', 'ΐ'],
    ['ﬁne', 'FINE'],
    ['T\u2011Mobile', 'T-Mobile'],
    ['McDonald\u2019s', "McDonald's"],
    ['𐐀𐐁', '𐐨𐐩'],
    ['Acme™', 'Acme'],
    ['Acme™\ufe0f Cloud', 'acme cloud'],
    ['Acme', 'Acme®'],
    ['ꭰ', 'Ꭰ'],
  ])('%j names %j, in a text and as a whole name', (written, name) => {
    const matcher = createMentionMatcher(brandsOf(name))
    expect(matcher.find(`the ${written}.`)).toEqual([0])
    expect(matcher.match(written)).toBe(0)
    expect(toBrandKey(written)).toBe(toBrandKey(name))
  })

  test.each([
    ['ISIK', 'Işık'],
    ['istanbul', 'İstanbul'],
    ['Lİ', 'LI'],
    ['Acme2', 'Acme'],
  ])('%j does not name %j', (written, name) => {
    const matcher = createMentionMatcher(brandsOf(name))
    expect(matcher.find(`the ${written}.`)).toEqual([])
    expect(matcher.match(written)).toBeUndefined()
  })

  test('a character that grows when folded shifts nothing', () => {
    expect(findNames('İİİ ßßß ﬃ ΐ Acme! Bolt', 'Bolt', 'Acme')).toEqual(['Acme', 'Bolt'])
    expect(findNames('ß', 's')).toEqual([])
  })
})

describe('overlaps', () => {
  test('the longest spelling that starts first wins', () => {
    expect(findNames('Acme Cloud', 'Acme', 'Acme Cloud')).toEqual(['Acme Cloud'])
    expect(findNames('Big Acme Cloud', 'Acme Cloud Nine', 'Big Acme', 'Acme Cloud', 'Cloud')).toEqual([
      'Big Acme',
      'Cloud',
    ])
    expect(findNames('Acme Cloud Acme', 'Acme', 'Acme Cloud')).toEqual(['Acme Cloud', 'Acme'])
  })

  test('when the longest is no whole word, a shorter one at the same place is taken', () => {
    expect(findNames('Acme Clouds', 'Acme', 'Acme Cloud')).toEqual(['Acme'])
    expect(findNames('Acme Cloud CRMs', 'Acme', 'Acme Cloud', 'Acme Cloud CRM')).toEqual(['Acme Cloud'])
    expect(findNames('Yahoo!s', 'Yahoo', 'Yahoo!')).toEqual(['Yahoo'])
  })

  test('a spelling may begin right behind another one, unless a letter comes before it', () => {
    expect(findNames('Yahoo!Bolt', 'Bolt', 'Yahoo!')).toEqual(['Bolt'])
    expect(findNames('Yahoo!+Plus', '+Plus', 'Yahoo!')).toEqual(['Yahoo!', '+Plus'])
    expect(findNames('Acme!Bolt', '!Bolt', 'Acme')).toEqual(['Acme'])
  })

  test('brands come once each, in order of first appearance, whatever the alias', () => {
    const matcher = createMentionMatcher(brandsOf(['Acme', 'Acme Inc.'], ['Bolt', 'Bolt GmbH'], 'Corto'))
    expect(matcher.find('Bolt GmbH, Acme Inc., Bolt, acme, Corto, Bolt')).toEqual([1, 0, 2])
  })

  test('a spelling of two brands is the own brand’s, else the one’s with the lower number', () => {
    const matcher = createMentionMatcher([
      { brandNo: 7, spellings: ['Twin', 'Acme'] },
      { brandNo: 3, spellings: ['TWIN'] },
      { brandNo: 0, spellings: ['acme'] },
    ])
    expect(matcher.find('Twin, Acme')).toEqual([3, 0])
    expect([matcher.match('twin'), matcher.match('ACME')]).toEqual([3, 0])
  })
})

describe('match', () => {
  test('compares the whole name and ignores white space around it', () => {
    const matcher = createMentionMatcher(brandsOf(['Acme', 'Acme, Inc.'], 'Bolt'))
    expect(
      ['  ACME ', 'acme, inc.', 'Acme Inc', 'The Acme', 'BOLT', '', '®'].map((name) => matcher.match(name)),
    ).toEqual([0, 0, undefined, undefined, 1, undefined, undefined])
  })

  test('an empty spelling names nothing', () => {
    const matcher = createMentionMatcher(brandsOf(['', '  '], 'Bolt'))
    expect(matcher.find('Bolt and  nothing')).toEqual([1])
  })
})

describe('docs/brand-matching.md', () => {
  const page = readFileSync(new URL('../../docs/brand-matching.md', import.meta.url), 'utf8')
  const [, competitors = ''] = /Competitors: (.+?)\. A test/.exec(page) ?? []
  const names = ['Acme', ...competitors.split(', ')]
  const matcher = createMentionMatcher(
    names.map((name, brandNo) => ({ brandNo, spellings: brandNo === 0 ? [name, 'Acme Inc.'] : [name] })),
  )
  const rows = [...page.matchAll(/^\| `(.+)` \| (.*?) ?\|$/gm)].map(
    ([, text = '', found = '']) => [text, found] as const,
  )

  test('has examples', () => {
    expect(rows.length).toBeGreaterThan(15)
  })

  test.each(rows)('%s', (text, found) => {
    expect(matcher.find(text).map((brandNo) => names[brandNo])).toEqual(found === '' ? [] : found.split(', '))
  })
})
