import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ByteMemo } from '../../../src/imports/logs/byte-memo.ts'

const key = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'abc', 'abcd', 'abcde', 'x'.repeat(2_048), 'x'.repeat(2_049), `${'x'.repeat(2_047)}y`),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
  // Alike in the words that a place is made of.
  fc
    .tuple(fc.nat(99), fc.constantFrom('a', 'b'))
    .map(([at, letter]) => `${'-'.repeat(at)}${letter}${'-'.repeat(99 - at)}`),
)

it('gives for each piece what was computed for its text, wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.nat(5)), { minLength: 1, maxLength: 60 }), (pieces) => {
      const memo = new ByteMemo((text) => `<${text}>`, 64)
      for (const [text, before] of [...pieces, ...pieces]) {
        const whole = `${'z'.repeat(before)}${text}zzz`
        const bytes = Buffer.from(whole, 'latin1')
        expect(memo.find(bytes, whole, before, before + text.length)).toBe(`<${text}>`)
      }
    }),
  )
})

it('computes a text once, and again after it was full', () => {
  let computed = 0
  const memo = new ByteMemo((text) => {
    computed += 1
    return text
  }, 8_192)
  const find = (text: string): string => memo.find(Buffer.from(text, 'latin1'), text, 0, text.length)
  for (let round = 0; round < 3; round++) for (let no = 0; no < 5_000; no++) find(`agent ${no}`)
  expect(computed).toBe(5_000)
  for (let no = 0; no < 40_000; no++) expect(find(`agent ${no}`)).toBe(`agent ${no}`)
  expect(find('agent 1')).toBe('agent 1')
})
