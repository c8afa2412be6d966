import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toMatchText } from '../../src/derive/answer-text.ts'

describe('URLs', () => {
  test.each([
    ['see https://acme.com/crm?x=1#y now', 'see \n now'],
    ['HTTP://ACME.COM', '\n'],
    ['(www.acme.com/a_b) Bolt', '(\n) Bolt'],
    ['"https://acme.com"Bolt', '"\n"Bolt'],
    ["'https://acme.com'Bolt", "'\n'Bolt"],
    ['“https://acme.com”Bolt', '“\n”Bolt'],
    ['`www.acme.com`Bolt', '`\n`Bolt'],
    ['<https://acme.com>Bolt', '<\n>Bolt'],
    ['[https://acme.com]Bolt', '[\n]Bolt'],
    ['（https://acme.com）Bolt', '(\n)Bolt'],
    ['看www.acme.com 好', '看\n 好'],
    ['Acmehttps://acme.com Bolt', 'Acme\n Bolt'],
    ['https://acme.com/a,b;c:d!e', '\n'],
    ['acme.com and http:/acme.com', 'acme.com and http:/acme.com'],
    ['ftp://acme.com', 'ftp://acme.com'],
  ])('%j becomes %j', (text, plain) => {
    expect(toMatchText(text)).toBe(plain)
  })
})

describe('links', () => {
  test.each([
    ['[Acme](https://acme.com/crm)', 'Acme'],
    ['[Acme](https://acme.com) Cloud', 'Acme Cloud'],
    ['Super [Acme](https://acme.com/a_(b)_c) Cloud', 'Super Acme Cloud'],
    ['[Acme](https://acme.com "Bolt, the CRM") x', 'Acme x'],
    ['[Acme](<https://acme.com/a b>) x', 'Acme x'],
    ['[Acme](/pricing) [Acme](mailto:bolt@acme.com) [Acme](#bolt)', 'Acme Acme Acme'],
    ['![Acme logo](https://cdn.bolt.com/acme.png)', '!Acme logo'],
    ['[![Acme](https://a.com/b.png)](https://bolt.com)', '[!Acme'],
    ['[**Acme** Cloud](https://acme.com)', 'Acme Cloud'],
    ['[acme.com](https://acme.com)', 'acme.com'],
    ['[https://acme.com](https://acme.com) x', '\n x'],
    ['[Acme](https://acme.com)Bolt', 'Acme\nBolt'],
    ['Ac[me](https://acme.com)', 'Ac\nme'],
    [
      '[Acme] (see Bolt) and [Acme](see Bolt) and [Acme](Bolt)',
      '[Acme] (see Bolt) and [Acme](see Bolt) and [Acme](Bolt)',
    ],
    ['<a href="https://acme.com" title="Bolt">Acme</a> Cloud', 'Acme Cloud'],
  ])('%j becomes %j', (text, plain) => {
    expect(toMatchText(text)).toBe(plain)
  })
})

describe('citation markers', () => {
  test.each([
    ['Acme [1] and Bolt[2].', 'Acme  and Bolt.'],
    ['Acme[1][2], [1, 2], [1-3] [^1] [^2^]', 'Acme, ,   '],
    ['Acme ... [[1]](https://acme.com/crm) Bolt', 'Acme ...  Bolt'],
    ['Acme[1](https://acme.com "Bolt") x', 'Acme x'],
    ['Acme[cite: 1, 2]. [cite_start]', 'Acme. '],
    ['Acme【4:0†source】 and 【1】, 【3†L1-L9】', 'Acme and , '],
    ['【Acme】Bolt', '【Acme】Bolt'],
    ['Acme. \ue200cite\ue202turn0search3\ue202turn0search8\ue201', 'Acme. '],
    ['by \ue200entity\ue202["company", "Acme", 0]\ue201 Cloud', 'by Acme Cloud'],
    ['\ue200url\ue202Acme docs\ue202turn0search1\ue201', 'Acme docs'],
    ['\ue203Acme\ue204 \ue200unfinished', '\ue203Acme\ue204 \ue200unfinished'],
    ['Acmeciteturn0search1turn2news3.', 'Acme.'],
    ['Acme fileciteturn0file1', 'Acme '],
    ['return0x, citeturn', 'return0x, citeturn'],
    ['[1]: https://acme.com "Acme CRM"\nBolt', '\nBolt'],
    ['[1]: Acme', '[1]: Acme'],
    ['Good. ([acme.com](https://www.acme.com/crm?utm_source=openai))', 'Good. '],
    ['Good. ([acme.com](https://acme.com), [bolt.com](https://eu.bolt.com/x))', 'Good. '],
    ['([Acme](https://acme.com)) ([acme.com](https://bolt.com))', '(Acme) (acme.com)'],
    ['[24]7 and [2024] and [Acme]', '[24]7 and [2024] and [Acme]'],
    ['Acme[1]Bolt', 'Acme[1]Bolt'],
  ])('%j becomes %j', (text, plain) => {
    expect(toMatchText(text)).toBe(plain)
  })
})

describe('marks and characters', () => {
  test.each([
    ['**Acme** Cloud, __Acme__ Cloud, ***Bolt***', 'Acme Cloud, Acme Cloud, Bolt'],
    ['**Yahoo**! **monday**.com', 'Yahoo! monday.com'],
    ['**Ac**me', 'Ac\nme'],
    ['**Acme**Bolt', 'Acme\nBolt'],
    ['Acme[1]**Bolt**', 'Acme\nBolt'],
    ['*Acme* and snake_case', '*Acme* and snake_case'],
    ['| **Acme** | Bolt |', '| Acme | Bolt |'],
    ['Yahoo\\!, C\\+\\+, \\[1\\], \\n', 'Yahoo!, C++, [1], \\n'],
    ['AT&amp;T &lt;b&gt;Acme&lt;/b&gt; R&D &copy', 'AT&T Acme R&D &copy'],
    ['Acme&nbsp;Cloud&#8203;&#x41;', 'Acme CloudA'],
    ['Acme<br>Bolt<br/> and <LI>x</LI>', 'Acme\nBolt\n and \nx\n'],
    ['a < b > c and <Acme>', 'a < b > c and <Acme>'],
    ['Ａｃｍｅ　Ｃｌｏｕｄ', 'Acme Cloud'],
    ['Acme™, Acme®, Acme℠ Cloud™️', 'Acme, Acme, Acme Cloud'],
    ['Acme™Bolt', 'Acme\nBolt'],
  ])('%j becomes %j', (text, plain) => {
    expect(toMatchText(text)).toBe(plain)
  })
})

describe('any text', () => {
  const WORDS = ['Acme', 'Bolt', '小米', 'e\u0301', '7', 'ǆ']
  const MARKUP = [
    '**',
    '__',
    '***',
    '[1]',
    '[[1]](https://a.com)',
    '[',
    '](https://a.com/x)',
    '<b>',
    '</b>',
    '<br>',
    '【1†x】',
    '®',
    '™',
    '\\',
  ].concat([
    '\ue200cite\ue202turn0search1\ue201',
    '\ue200entity\ue202["x","Corto"]\ue201',
    'citeturn0search1',
    '([a.com](https://a.com/x))',
    '&#42;&#42;',
    ' ',
  ])
  const pieces = fc.array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...MARKUP)), { maxLength: 8 })

  test('two words are never joined', () => {
    fc.assert(
      fc.property(pieces, (pieces) => {
        const text = pieces.reduce(
          (text, piece) => (WORDS.includes(piece) && endsInWord(text) ? `${text} ${piece}` : text + piece),
          '',
        )
        const words = toMatchText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
        const known = new Set(
          [...WORDS, 'Corto', 'b', 'br', 'a', 'com', 'https', 'x', '1', 'TM'].map((word) => word.normalize('NFKC')),
        )
        expect(words.filter((word) => !known.has(word))).toEqual([])
      }),
      { numRuns: 20_000 },
    )
  })

  test('text without markup is its NFKC', () => {
    const plain = fc
      .string({ unit: 'binary' })
      .filter((text) => !/[\\*_[\](<:.0-9&®™℠【\ue200]/.test(text.normalize('NFKC')))
    fc.assert(
      fc.property(plain, (text) => {
        expect(toMatchText(text)).toBe(text.normalize('NFKC'))
      }),
    )
  })

  test.each([
    '[',
    '](',
    '[1,',
    '(',
    '([a.com](https://a.com)',
    '](a',
    '<a ',
    '**',
    '\\',
    '&amp',
    '【',
    '\ue200',
    'turn0',
    '[cite:1 ',
    ' ',
    'www.',
    '](x "',
    '[a',
    '])',
  ])('half a million of %j take no long time', (piece) => {
    const started = performance.now()
    toMatchText(piece.repeat(500_000 / piece.length))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

function endsInWord(text: string): boolean {
  return /[\p{L}\p{N}\p{M}]$/u.test(text.normalize('NFKC'))
}
