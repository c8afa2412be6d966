import { expect, it } from 'vitest'
import { memoize } from '../../src/derive/memo.ts'
import { MEMO_CHARACTERS_MAX, MEMO_ENTRY_CHARACTERS, MEMO_KEY_CHARACTERS_MAX } from '../../src/limits.ts'

function counting() {
  const asked: string[] = []
  const find = memoize((text) => {
    asked.push(text)
    return text.length > 3 ? text.length : undefined
  })
  return { asked, find }
}

it('computes a text once, also when the result is undefined', () => {
  const { asked, find } = counting()
  expect(['abcd', 'ab', 'abcd', 'ab', '', ''].map(find)).toEqual([4, undefined, 4, undefined, undefined, undefined])
  expect(asked).toEqual(['abcd', 'ab', ''])
})

it('tells texts apart that differ in a lone surrogate', () => {
  const { asked, find } = counting()
  for (const text of ['a\uD800', 'a\uD801', 'a\uFFFD', 'a\uD800', 'a\uD801', 'a\uFFFD']) find(text)
  expect(asked).toEqual(['a\uD800', 'a\uD801', 'a\uFFFD'])
})

it('computes a text each time that is too long to be kept', () => {
  const { asked, find } = counting()
  const long = 'x'.repeat(MEMO_KEY_CHARACTERS_MAX + 1)
  expect([find(long), find(long)]).toEqual([long.length, long.length])
  expect(asked.length).toBe(2)
})

it('keeps what is still asked for when many others pass, and forgets the rest', () => {
  const { asked, find } = counting()
  find('often')
  find('once')
  for (let index = 0; index < (2 * MEMO_CHARACTERS_MAX) / MEMO_ENTRY_CHARACTERS; index++) {
    find(`${index}`)
    if (index % 1_000 === 0) find('often')
  }
  find('often')
  find('once')
  expect(asked.filter((text) => text === 'often').length).toBe(1)
  expect(asked.filter((text) => text === 'once').length).toBe(2)
})

it('keeps few texts when they are long', () => {
  const { asked, find } = counting()
  const filler = 'x'.repeat(MEMO_KEY_CHARACTERS_MAX - 10)
  find('first')
  for (let index = 0; index < (3 * MEMO_CHARACTERS_MAX) / filler.length; index++) find(filler + index)
  find('first')
  expect(asked.filter((text) => text === 'first').length).toBe(2)
})
