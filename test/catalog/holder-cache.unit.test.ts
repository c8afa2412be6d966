import { expect, test } from 'vitest'
import { keepHolders } from '../../src/catalog/holder-cache.ts'

function openCache(entriesMax = 10) {
  const asked: string[] = []
  const state = { version: 1, known: ['ana', 'ben', 'cem'] }
  const find = keepHolders({ version: () => state.version }, entriesMax, (sha256) => {
    const name = sha256.toString()
    asked.push(name)
    return state.known.includes(name) ? { name } : undefined
  })
  return { asked, state, find: (name: string) => find(Buffer.from(name))?.name }
}

test('a holder is looked up once while the catalog stays as it is, and again after any change', () => {
  const { asked, state, find } = openCache()
  expect([find('ana'), find('ana'), find('ben')]).toEqual(['ana', 'ana', 'ben'])
  expect(asked).toEqual(['ana', 'ben'])
  state.version += 1
  state.known = ['ben']
  expect([find('ana'), find('ben'), find('ben')]).toEqual([undefined, 'ben', 'ben'])
  expect(asked).toEqual(['ana', 'ben', 'ana', 'ben'])
})

test('a stranger is looked up each time, and takes no room', () => {
  const { asked, find } = openCache(2)
  find('ana')
  for (const name of ['x', 'y', 'x']) expect(find(name)).toBeUndefined()
  find('ana')
  expect(asked).toEqual(['ana', 'x', 'y', 'x'])
})

test('no more are kept than were allowed', () => {
  const { asked, find } = openCache(2)
  for (const name of ['ana', 'ben', 'cem', 'cem', 'ana']) expect(find(name)).toBe(name)
  expect(asked).toEqual(['ana', 'ben', 'cem', 'ana'])
})
