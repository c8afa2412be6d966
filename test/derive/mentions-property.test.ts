import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toMatchText } from '../../src/derive/answer-text.ts'
import { createMentionMatcher } from '../../src/derive/mentions.ts'
import { findByReference } from './support/mention-reference.ts'

/** The same texts in each run; `FUZZ_SEED=2 npx vitest run test/derive/mentions-property` tries others. */
const FUZZ = { seed: Number(process.env['FUZZ_SEED'] ?? 1) }

describe('against the naive reference', () => {
  const NAMES = [
    'Acme',
    'Acme Cloud',
    'Acme Cloud CRM',
    'Yahoo!',
    'C++',
    'C++ Builders',
    'Monday.com',
    'LI',
    'X',
    'Box',
    '.NET',
  ].concat([
    'Straße',
    'Οδός',
    'İş',
    'Işık',
    'ǰx',
    'Ϊ\u0301α',
    'Cafe\u0301',
    "Mc'D",
    'T-M',
    'علامة',
    'שלום',
    '小米',
    '京',
    '삼성',
    '11번가',
    'ノート',
    'ลาซาด้า',
    'Яндекс',
    'T–M',
    '𐐀𐐁',
    'ﬁt',
    '🚀Go',
    'ᾳ',
    'é',
  ])
  const twists: readonly ((name: string) => string)[] = [
    (name) => name,
    (name) => name.toUpperCase(),
    (name) => name.toLowerCase(),
    (name) => name.normalize('NFD'),
    (name) => name.normalize('NFKC').toUpperCase().toLowerCase(),
    (name) => name.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    (name) => name.replace("'", '\u2019').replace('-', '\u2011'),
    (name) => name.slice(0, -1),
    (name) => name.slice(1),
  ]
  const SIGNS = Array.from(
    ' \n\t\u00a0\u2009\u200d\u200f.,;:!?+-–—\'’"/|~#@%&=$()0a7sSßẞσςΣıİiIJéÉ用のーกเक\u093f은에서가동יوб²½Ⅳ㎏ﬀǆ…😀🇩𠀀𝐀\u{10400}\u{1e900}\u{1f10b}',
  ).concat(
    ['\u00ad', '\u200b', '\u200c', '\u2060', 'ʼ', '\u0e34', '\u064e', '에서', '입니다'],
    ['\u0301', '\u0308', '\u030c', '\u0345', '\u0338', '\ufe0f', '\ud83d', '\udc00'],
  )
  const twist = fc.constantFrom(...twists)
  const sign = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...SIGNS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 2 }) },
  )
  const spelling = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(...NAMES), twist).map(([name, twist]) => twist(name).toWellFormed()),
    },
    { weight: 1, arbitrary: fc.array(sign, { maxLength: 3 }).map((signs) => signs.join('').toWellFormed()) },
  )
  const brands = fc
    .array(fc.array(spelling, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })
    .chain((list) =>
      fc
        .array(fc.boolean(), { minLength: list.length, maxLength: list.length })
        .map((areExact) =>
          list.map((spellings, brandNo) => ({ brandNo, spellings, exact: areExact[brandNo]! ? spellings : [] })),
        ),
    )
  /** A text mostly made of the brands' own spellings, so that many of them are named. */
  const world = brands.chain((brands) => {
    const named = fc
      .tuple(fc.constantFrom(...brands.flatMap(({ spellings }) => spellings)), twist)
      .map(([name, twist]) => twist(name))
    const pieces = fc.array(fc.oneof(named, sign, fc.constant(' ')), { maxLength: 12 })
    return pieces.map((pieces) => ({ brands, text: pieces.join('') }))
  })

  test('finds the same brands in the same order in 20,000 generated texts', () => {
    let named = 0
    fc.assert(
      fc.property(world, ({ brands, text }) => {
        const plain = toMatchText(text)
        const expected = findByReference(brands, plain)
        named += expected.length
        expect(createMentionMatcher(brands).find(text)).toEqual(expected)
      }),
      {
        ...FUZZ,
        numRuns: 20_000,
        examples: [[{ brands: [{ brandNo: 0, spellings: ['𝐀–ʼ'], exact: [] }], text: '𝐀–ʼ' }]],
      },
    )
    expect(named).toBeGreaterThan(5_000)
  })

  test('match and find agree on a name that stands alone', () => {
    let matched = 0
    fc.assert(
      fc.property(brands, fc.nat(), (given, pick) => {
        const brands = given.map(({ brandNo, spellings }) => ({ brandNo, spellings }))
        const all = brands.flatMap(({ spellings }) => spellings)
        const spelling = all[pick % all.length]!
        const matcher = createMentionMatcher(brands)
        const brandNo = matcher.match(spelling)
        if (brandNo !== undefined && toMatchText(spelling) === spelling.normalize('NFKC')) {
          matched += 1
          expect(matcher.find(spelling)).toEqual([brandNo])
        }
      }),
      { ...FUZZ, numRuns: 5_000 },
    )
    expect(matched).toBeGreaterThan(2_000)
  })
})
