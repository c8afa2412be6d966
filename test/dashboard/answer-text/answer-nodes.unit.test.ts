import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAnswerNodes } from '../../../src/dashboard/answer-text/answer-nodes.ts'
import { createBrandMarker } from '../../../src/dashboard/answer-text/brand-names.ts'
import { type Element, listElements, toElements, toOutline, toText } from '../support/nodes.ts'

const mark = createBrandMarker([
  { spelling: 'Acme', isOwn: true },
  { spelling: 'Acme Desk', isOwn: true },
  { spelling: 'C++ (Globex)', isOwn: false },
  { spelling: '日本電気', isOwn: false },
])
const read = (text: string): readonly (Element | string)[] => toElements(toAnswerNodes(text, mark))
const outline = (text: string): string => toOutline(read(text))

describe('an answer as nodes', () => {
  it('is paragraphs, headings, emphasis and code', () => {
    expect(outline('# Best\n\nTwo **strong** and *soft* `a < b`\nlines.')).toBe(
      '<h3>Best</h3><p>Two <strong>strong</strong> and <em>soft</em> <code>a < b</code>\nlines.</p>',
    )
    expect(outline('***both*** a_b_c __x__ 2 * 3 * 4 **open')).toBe(
      '<p><strong><em>both</em></strong> a_b_c <strong>x</strong> 2 * 3 * 4 **open</p>',
    )
    expect(outline('```js\n<b>\n\n*x*\n```\nafter')).toBe('<pre><code><b>\n\n*x*</code></pre><p>after</p>')
    expect(outline('one\n\n---\n\n> quoted\n> **more**')).toBe(
      '<p>one</p><hr></hr><blockquote><p>quoted\n<strong>more</strong></p></blockquote>',
    )
  })

  it('has headings that go down by one level', () => {
    expect(outline('#### a\n# b\n### c\n###### d')).toBe('<h3>a</h3><h3>b</h3><h4>c</h4><h5>d</h5>')
  })

  it('is lists, in lists too, with the numbers that they begin with', () => {
    expect(outline('* a\n  more\n    - b\n* c\n\nend')).toBe(
      '<ul><li><p>a\nmore</p><ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul><p>end</p>',
    )
    const [list] = read('3. a\n\n   b\n4. c')
    expect(list).toMatchObject({ name: 'ol', attributes: { start: 3 }, children: [{ name: 'li' }, { name: 'li' }] })
    expect(outline('• Acme – first\n• second')).toBe(
      '<ul><li><p><mark class="own">Acme</mark> – first</p></li><li><p>second</p></li></ul>',
    )
  })

  it('has the signs of a list where its words begin', () => {
    expect(read('- نقطة أولى\n- second')).toMatchObject([{ name: 'ul', attributes: { dir: 'rtl' } }])
    expect(read('1. (first) ثانية')).toMatchObject([{ name: 'ol', attributes: { dir: 'ltr' } }])
    expect(read('- > quote')).toMatchObject([{ name: 'ul', attributes: { dir: 'ltr' } }])
  })

  it('is tables as wide as their head', () => {
    expect(outline('| a | b |\n|---|:-:|\n| 1 | 2 | 3 |\n| only\nafter')).toBe(
      '<div class="answer-table"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2 | 3</td></tr>' +
        '<tr><td>only</td><td></td></tr></tbody></table></div><p>after</p>',
    )
  })

  it('marks brands by whole words, the longest spelling first, case passed over', () => {
    expect(outline('弊社のAcmeは')).toBe('<p>弊社の<mark class="own">Acme</mark>は</p>')
    expect(outline('ACME desk, Acmes, C++ (globex)! 我が日本電気は')).toBe(
      '<p><mark class="own">ACME desk</mark>, Acmes, <mark class="rival">C++ (globex)</mark>! 我が<mark class="rival">日本電気</mark>は</p>',
    )
  })

  it('says where a link leads, and where it leads when it pretends', () => {
    expect(outline('[here](https://ACME.com/a_(b)?c "Title").')).toBe(
      '<p><bdi><a href="https://acme.com/a_(b)?c">here</a><bdi class="host"> (acme.com)</bdi></bdi>.</p>',
    )
    expect(outline('See https://acme.com/x).')).toBe(
      '<p>See <bdi><a href="https://acme.com/x">https://acme.com/x</a></bdi>).</p>',
    )
    expect(outline('[https://bank.example/](https://bank.example@evil.example/)')).toContain('(evil.example)')
    expect(outline('[https://bank.example](https://bank.example.evil.example/)')).toContain(
      '(bank.example.evil.example)',
    )
    expect(outline('![chart](https://cdn.example/x.png)')).toBe(
      '<p><bdi><a href="https://cdn.example/x.png">chart</a><bdi class="host"> (cdn.example)</bdi></bdi></p>',
    )
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,hi)',
    '![x](data:image/png;base64,AAAA)',
    '[x](//evil.example)',
    '[x](/settings/keys)',
    '[x](vbscript:x)',
    'file:///etc/passwd',
  ])('leaves %s a text', (text) => {
    expect(outline(text)).toBe(`<p>${text}</p>`)
  })

  it('shows what is hidden and what turns the order of signs', () => {
    expect(toText(read('a\u0000b\u202Ecod\u202C\u2066x\u007f\u0085'))).toBe('a␀b[U+202E]cod[U+202C][U+2066]x␡[U+0085]')
    expect(outline('[safe\u202Emoc](https://evil.example/\u202E)')).not.toContain('\u202e')
    expect(toText(read('\u200eمرحبا\u200f'))).toBe('\u200eمرحبا\u200f')
  })
})

const ALLOWED = new Set(
  'p h3 h4 h5 h6 ul ol li blockquote pre hr div table thead tbody tr th td strong em code a mark bdi'.split(' '),
)
const ATTRIBUTES = new Set([
  'dir',
  'start',
  'class',
  'scope',
  'href',
  'target',
  'rel',
  'tabIndex',
  'role',
  'aria-label',
])
const SIGNS = fc.constantFrom(
  '*',
  '**',
  '_',
  '`',
  '```',
  '\n',
  '\n\n',
  ' ',
  '    ',
  '- ',
  '1. ',
  '> ',
  '# ',
  '|',
  '|-|-|',
  '[',
  ']',
  '](',
  '(',
  ')',
  '<',
  '>',
  '"',
  '\\',
  '![',
  'http://',
  'https://a.example/',
  'javascript:',
  '<b onclick=x>',
  'Acme',
  'a',
  '日',
  'م',
  '•',
  '\u0000',
  '\u202e',
  '\u2066',
  '\ud800',
  '\r',
  '\t',
  '&amp;',
  '~~~',
  '---',
  '\u2028',
  '{}',
  '${x}',
)
const TEXTS = fc.oneof(
  fc.array(SIGNS, { maxLength: 60 }).map((signs) => signs.join('')),
  fc.string({ unit: 'binary' }),
)

describe('any text at all', () => {
  it('makes nothing but the allowed elements, with addresses of http and https alone', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        for (const { name, attributes } of listElements(read(text))) {
          expect(ALLOWED).toContain(name)
          for (const attribute of Object.keys(attributes)) expect(ATTRIBUTES).toContain(attribute)
          if (name !== 'a') continue
          expect(attributes).toMatchObject({ target: '_blank', rel: 'noopener noreferrer nofollow' })
          expect(attributes['href']).toMatch(/^https?:\/\/[^@\s]+$/)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('shows no sign that hides or turns others, and loses no letter', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        const shown = toText(read(text))
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        // The word behind a fence and the title of a link aren't shown.
        if (/```|~~~|\]\(/.test(text)) return
        for (const word of ['日', 'Acme']) expect(shown.split(word).length).toBe(text.split(word).length)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    '*',
    '_',
    '**a ',
    '`',
    '``` ',
    '[',
    '](',
    '[](',
    '[a](https://a.example/x',
    '![',
    '<http://',
    'http://',
    'https://h/(',
    '> ',
    '- ',
    '1. a\n',
    '- a\n  ',
    '> - ',
    '|',
    '|-',
    '|a|b|\n|-|-|\n',
    '\\',
    '\n',
    ' ',
    '\u0000',
    '\u202e',
    'Acme',
    'a',
    '[a](b "',
    '"',
    '(',
    ')',
    '***a** b* ',
    '# ',
    '```\n',
    '    \n',
    '日',
    '- \n\n  - a\n',
    '_a*b',
  ])('reads 200 KB of %j in a time that grows with their length', (sign) => {
    const text = sign.repeat(Math.ceil(200_000 / sign.length))
    const start = performance.now()
    read(text)
    expect(performance.now() - start).toBeLessThan(6000)
  })
})
