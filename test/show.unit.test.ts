import { expect, test } from 'vitest'
import { escapeControls, show } from '../src/show.ts'

test.each([
  ['Ümläut 株式会社 👩‍💻 क्‍ष \\ "', 'Ümläut 株式会社 👩‍💻 क्‍ष \\ "'],
  ['a\nb\tc\r\0\u007F', String.raw`a\nb\tc\r\u0000\u007f`],
  ['\u001B[2J\u009B2J\u0085', String.raw`\u001b[2J\u009b2J\u0085`],
  ['\u2028\u2029\u202E\u2066\u200E\u061C\uFEFF', String.raw`\u2028\u2029\u202e\u2066\u200e\u061c\ufeff`],
  ['half \uD83D', String.raw`half \ud83d`],
])('%j is shown as one line that a terminal does not obey', (text, shown) => {
  expect(show(text)).toBe(shown)
})

test('of a long text the beginning is shown, and how long it is', () => {
  expect(show('x'.repeat(1_000))).toBe('x'.repeat(1_000))
  expect(show('x'.repeat(100_000))).toBe(`${'x'.repeat(1_000)}… (100000 characters)`)
  expect(show('abcdef', 3)).toBe('abc… (6 characters)')
})

test('JSON stays the same value, with its own line breaks', () => {
  const value = { name: 'a\u009B\u202E\n\uD83D', list: [1, '\u2028'] }
  const json = JSON.stringify(value, undefined, 2)
  expect(JSON.parse(escapeControls(json))).toEqual(value)
  expect(escapeControls(json)).toMatch(/^[\n\x20-\x7E]*$/)
})
