import { describe, expect, test } from 'vitest'
import { foldCase, normalizeText, toBrandKey } from '../../src/derive/brand-key.ts'

const CHARACTERS = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

describe('toBrandKey', () => {
  test.each([
    ['  Acme  Cloud ', 'acme  cloud'],
    ['ＡＴ＆Ｔ', 'at&t'],
    ['STRASSE', 'strasse'],
    ['Straße', 'strasse'],
    ['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύσ'],
    ['İş', 'i̇ş'],
    ['Işık', 'işık'],
    ['Mc’D', "mc'd"],
    ['T‐M, T‑M', 't-m, t-m'],
    ['Acme™ Cloud®', 'acme cloud'],
    ['Acme®Bolt', 'acme®bolt'],
    ['®', ''],
    ['', ''],
  ])('of %j is %j', (name, key) => {
    expect(toBrandKey(name)).toBe(key)
  })

  test('of a key is the key itself, for every character', () => {
    const changed = CHARACTERS.filter((character) => {
      const key = toBrandKey(`a${character}b`)
      return toBrandKey(key) !== key
    })
    expect(changed).toEqual([])
  })
})

describe('foldCase', () => {
  test('makes every character equal to its lower, upper and folded forms', () => {
    const different = CHARACTERS.filter((character) => {
      const plain = character.normalize('NFKC')
      if (plain !== character || character === 'ı') return false
      const fold = foldCase(character)
      return [character.toLowerCase(), character.toUpperCase()].some(
        (other) => foldCase(other.normalize('NFKC')) !== fold,
      )
    })
    expect(different).toEqual([])
  })

  test('leaves nothing that Unicode would fold', () => {
    const left = CHARACTERS.filter((character) => {
      const plain = character.normalize('NFKC')
      return (
        plain === character &&
        /\p{Changes_When_Casefolded}/u.test(foldCase(character).replace(/[\uab70-\uabbf\u13f8-\u13fd]/g, ''))
      )
    })
    expect(left).toEqual([])
  })
})

test('normalizeText keeps a trademark sign from becoming letters', () => {
  expect(normalizeText('Acme™ ② ℠…')).toBe('Acme® 2 ®...')
})
