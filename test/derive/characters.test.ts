import { describe, expect, test } from 'vitest'
import { foldText } from '../../src/derive/brand-key.ts'
import { FOLDS_IN_CONTEXT, folds, HALF, isWordAt, kinds, toUnits, WORD } from '../../src/derive/characters.ts'

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit)

describe('the tables', () => {
  test('know every letter, digit and mark', () => {
    const wrong = UNITS.filter(
      (unit) => (kinds[unit]! & WORD) !== (/[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit)) ? WORD : 0),
    )
    expect(wrong).toEqual([])
  })

  test('fold a unit of a text in NFKC as the whole text would, or say that they cannot', () => {
    const wrong = UNITS.filter((unit) => {
      const character = String.fromCharCode(unit)
      if ((kinds[unit]! & (HALF | FOLDS_IN_CONTEXT)) !== 0 || character.normalize('NFKC') !== character) return false
      return String.fromCharCode(folds[unit]!) !== foldText(character)
    })
    expect(wrong).toEqual([])
  })

  test('say of every character outside the basic plane that has a case that the whole text must be folded', () => {
    const wrong: string[] = []
    for (let code = 0x10000; code < 0x110000; code++) {
      const character = String.fromCodePoint(code)
      if (character.normalize('NFKC') !== character || foldText(character) === character) continue
      if ((kinds[character.charCodeAt(0)]! & FOLDS_IN_CONTEXT) === 0) wrong.push(character)
    }
    expect(wrong).toEqual([])
  })

  test('know every mark that joins a letter with a case', () => {
    const joining = new Set(
      UNITS.map((unit) => Array.from(String.fromCharCode(unit).normalize('NFD')))
        .filter(([letter = '', mark]) => mark !== undefined && /\p{Cased}/u.test(letter))
        .flatMap(([, ...marks]) => marks),
    )
    expect([...joining].filter((mark) => (kinds[mark.charCodeAt(0)]! & FOLDS_IN_CONTEXT) === 0)).toEqual([])
  })
})

test('isWordAt sees whole characters', () => {
  const text = 'a🚀𠀀\ud83d'
  expect([-1, 0, 1, 2, 3, 4, 5, 6].map((at) => isWordAt(text, at))).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
    false,
    false,
  ])
})

test('toUnits gives the units of short and long texts, and a 0', () => {
  expect([...toUnits('aß𠀀')]).toEqual([0x61, 0xdf, 0xd840, 0xdc00, 0])
  const long = 'ä'.repeat(100_000)
  expect(toUnits(long).length).toBe(100_001)
  expect(toUnits(long).subarray(99_999)).toEqual(new Uint16Array([0xe4, 0]))
})
