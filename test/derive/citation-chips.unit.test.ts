import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCandidateNames } from '../../src/derive/candidates.ts'
import { mayHaveChips, withoutChips } from '../../src/derive/citation-chips.ts'
import { createMentionMatcher } from '../../src/derive/mentions.ts'

describe('citation chips in a text', () => {
  test.each([
    ['A good pizza is crisp. Facebook +4', 'A good pizza is crisp. \n'],
    ['It holds its shape. Pizza University & Culinary Arts Center +6\nNext', 'It holds its shape. \n\nNext'],
    ['inputs. MyArmyBenefits (.mil) +2', 'inputs. \n'],
    ['borders. U.S. Department of War (.gov) +1', 'borders. U.S. \n'],
    ['= 260$ Decks.com +1', '= 260$ \n'],
    ['board. YouTube·Buyers Guides +1', 'board. \n'],
    ['the human equivalents: PetMD +2\n- **Year 1**', 'the human equivalents: \n\n- **Year 1**'],
    ['e Apple.\u00a0Mercado Livre\u00a0+5', 'e Apple.\u00a0\n'],
    ['The developer group. linkedin 2+ Background and Career', 'The developer group. \n Background and Career'],
    ['Millions of views. x 1+ Community', 'Millions of views. \n Community'],
    ['Leads. The Verge 2+ T-Mobile 2+ Next', 'Leads. \n \n Next'],
    ['Reddit +2 YouTube +3', '\n \n'],
    ['The crust is light YouTube +1', 'The crust is light \n'],
    ['知乎说好。知乎 +2', '知乎说好。\n'],
    ['Leads. YouTube \\+1', 'Leads. \n'],
    ['Acme leads.reddit+1\n- Bolt', 'Acme leads.\n\n- Bolt'],
    ['**Acme leads.**stable-diffusion-art+2 Next', '**Acme leads.**\n Next'],
    ['It is (so).publish.obsidian+2youtube+1', 'It is (so).\n'],
    ['Leads.[hubspot](https://blog.hubspot.com/x_(y))[zapier](https://zapier.com/)', 'Leads.\n\n'],
    ['Routes\nGenelify.com+15Stack Overflow+15YouTube+15\nYouTube+2\nNext', 'Routes\n\n\n\n\nNext'],
  ])('%j becomes %j', (text, plain) => {
    expect(withoutChips(text)).toBe(plain)
  })

  test.each([
    'Made for teams of 10+ people. Good.',
    'Plans for 5+ users',
    'Acme has 500+ Integrations',
    'Call Acme +1 555 123',
    'Runs on Windows 9+. Next',
    'It is best for T-Mobile 2+ lines',
    'Acme offers more. Bolt 3+ and Corto',
    'Acme: 5+ Users',
    'Acme +1.',
    'Acme +10%',
    'Acme 2+1',
    '(see Acme +1)',
    'Disney+ and Paramount+ 2',
    'Get Disney+2 now. Or Hulu',
    '- Acme Pro+10',
    'x = a.count+1;',
    'Read more.[hubspot](https://acme.com/hubspot)',
    'Use [hubspot](https://hubspot.com/) or\n[zapier](https://zapier.com/)',
    'C++ 11',
  ])('%j has none', (text) => {
    expect(withoutChips(text)).toBe(text)
  })

  test('no text loses a character that is not of a chip, and none is slow', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', 'A', '.', ' ', '+', '1', '2', '\n', '|', '[', ']', '('),
          maxLength: 60,
        }),
        (text) => {
          const plain = withoutChips(text)
          expect(plain.length).toBeLessThanOrEqual(text.length)
          if (!/\+|\]\(/.test(text)) expect(plain).toBe(text)
        },
      ),
    )
    expect(withoutChips('Acme +1 '.repeat(50_000)).length).toBeLessThan(200_000)
    for (const piece of ['.a', '.a+1', 'A b', 'A+1', '.[a](https://a.', ')[a']) {
      expect(withoutChips(`${piece.repeat(50_000)}+x`).length).toBeGreaterThan(0)
    }
  })
})

test('only copies of pages have chips', () => {
  expect(mayHaveChips({ provider: 'brightdata', platform: 'chatgpt' })).toBe(true)
  expect(mayHaveChips({ provider: 'oxylabs', platform: 'perplexity' })).toBe(true)
  expect(mayHaveChips({ provider: null, platform: 'ai_overviews' })).toBe(true)
  expect(mayHaveChips({ provider: undefined, platform: 'perplexity' })).toBe(true)
  expect(mayHaveChips({ provider: 'perplexity', platform: 'perplexity' })).toBe(false)
  expect(mayHaveChips({ provider: 'openai', platform: 'chatgpt' })).toBe(false)
  expect(mayHaveChips({ provider: null, platform: undefined })).toBe(false)
})

test('a link whose label is a chip names no brand, whoever made the text', () => {
  const matcher = createMentionMatcher([{ brandNo: 0, spellings: ['YouTube', 'AT&T'] }])
  expect(matcher.find('Leads [YouTube +1](https://youtube.com/x) and [AT&T 1+](https://att.com/)')).toEqual([])
  expect(matcher.find('Leads [The Verge 2+ AT&T 2+](https://theverge.com/)')).toEqual([])
  expect(matcher.find('Leads [YouTube+1YouTube+15](https://youtube.com/x?utm_source=chatgpt.com)')).toEqual([])
  expect(matcher.find('[AT&T](https://att.com/) leads')).toEqual([0])
  expect(
    findCandidateNames(
      '- [YouTube +1](https://a.com/) x\n- [Vimeo+3](https://a.com/) x\n- [Bolt](https://b.com/) y\n- [Corto](https://c.com/)',
    ),
  ).toEqual(['Bolt', 'Corto'])
})
