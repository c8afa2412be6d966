import { describe, expect, test } from 'vitest'
import { foldCase, unifySign } from '../../src/derive/brand-key.ts'
import {
  BREAK,
  CLASS,
  classAt,
  codeOf,
  codes,
  folds,
  foldsInContext,
  isWordAt,
  LOOK,
  PENDING,
  toUnits,
  unstable,
} from '../../src/derive/characters.ts'
import { classOf } from '../../src/derive/scripts.ts'

const UNITS = Array.from({ length: 0x10000 }, (_, unit) => unit)

function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

describe('the tables', () => {
  test('know every letter, digit and mark', () => {
    const wrong = UNITS.filter((unit) => {
      const isPart = unit !== 0x02bc && /[\p{L}\p{N}\p{M}]/u.test(String.fromCharCode(unit))
      return isPart ? codes[unit] === BREAK : codes[unit] !== (isHalf(unit) ? LOOK : BREAK)
    })
    expect(wrong).toEqual([])
  })

  test('fold a unit as the whole text would, or say that they cannot', () => {
    const wrong = UNITS.filter((unit) => {
      const character = String.fromCharCode(unit)
      if (codes[unit] === LOOK || character.normalize('NFKC') !== character) return false
      const fold = unifySign(foldCase(character))
      return (
        String.fromCharCode(folds[unit]!) !== fold || (codes[unit] !== BREAK && (codes[unit]! & ~CLASS) !== folds[unit])
      )
    })
    expect(wrong).toEqual([])
  })

  test('give a letter and what it folds to the same class, whether they knew it or found it out', () => {
    const wrong = UNITS.filter((unit) => {
      const character = String.fromCharCode(unit)
      if (codes[unit] === BREAK || codes[unit] === LOOK || character.normalize('NFKC') !== character) return false
      const found = classAt(character, 0)
      if ((codes[unit]! & CLASS) === PENDING) codeOf(unit)
      const fold = String.fromCharCode(folds[unit]!)
      return found !== classOf(character) || found !== classOf(fold) || (codes[unit]! & CLASS) !== found
    })
    expect(wrong).toEqual([])
  })

  test('say of every character outside the basic plane that has a case that the whole text must be folded', () => {
    const wrong: string[] = []
    for (let code = 0x10000; code < 0x110000; code++) {
      const character = String.fromCodePoint(code)
      if (character.normalize('NFKC') !== character || foldCase(character) === character) continue
      if (!foldsInContext(character.charCodeAt(0))) wrong.push(character)
    }
    expect(wrong).toEqual([])
  })

  test('know every mark that joins a letter with a case', () => {
    const joining = new Set(
      UNITS.map((unit) => Array.from(String.fromCharCode(unit).normalize('NFD')))
        .filter(([letter = '', mark]) => mark !== undefined && /\p{Cased}/u.test(letter))
        .flatMap(([, ...marks]) => marks),
    )
    expect(
      [...joining].filter((mark) => codes[mark.charCodeAt(0)] !== LOOK || !foldsInContext(mark.charCodeAt(0))),
    ).toEqual([])
  })

  test('know every unit that NFKC changes, alone or behind another', () => {
    const starters = ['', 'e', 'ω', 'ᄀ', '가', 'कि', 'か', 'ا', 'б', '<', '≈']
    const wrong = UNITS.filter((unit) => {
      if (unstable[unit] === 1) return false
      return starters.some((starter) => {
        const text = starter + String.fromCharCode(unit)
        return text.normalize('NFKC') !== text || /[\u00ad\u200b-\u200d\u2060\ufeff]/.test(text)
      })
    })
    expect(wrong).toEqual([])
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
