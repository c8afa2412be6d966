import { expect, test } from 'vitest'
import {
  findApart,
  findMoved,
  findRival,
  listMoved,
  toWeeklyRates,
} from '../../../src/dashboard/views/overview/story.ts'

const own = { name: 'Acme', owned: true }
const engine = (platform: 'chatgpt' | 'claude' | 'gemini', rate: number, low: number | null, high: number | null) => ({
  brand: own,
  rank: 1,
  platform,
  mention_rate: rate,
  mention_rate_low: low,
  mention_rate_high: high,
})
const change = (id: string, verdict: 'up' | 'down' | 'no_change', by: number) => ({
  brand: own,
  prompt: { id, text: id },
  value: 0.5,
  previous: 0.5 - by,
  change: by,
  low: null,
  high: null,
  p: null,
  q: null,
  verdict,
  cells: 7,
  excluded: 0,
})

test('only prompts with a verdict moved, the greatest change first whichever way', () => {
  const moves = findMoved([change('a', 'up', 0.2), change('b', 'down', -0.4), change('c', 'no_change', 0.6)])
  expect(listMoved(moves).map(({ prompt }) => prompt?.id)).toEqual(['b', 'a'])
})

test('engines are told apart only where their intervals are', () => {
  const apart = findApart([engine('claude', 0.5, 0.4, 0.6), engine('gemini', 0.2, 0.1, 0.3)])
  expect([apart.most?.platform, apart.least?.platform]).toEqual(['claude', 'gemini'])
  const close = findApart([engine('claude', 0.5, 0.3, 0.7), engine('gemini', 0.3, 0.2, 0.4)])
  expect([close.most, close.least]).toEqual([undefined, undefined])
  const single = findApart([engine('claude', 0.5, 0.4, 0.6)])
  expect(single.least).toBeUndefined()
  const unknown = findApart([engine('claude', 1, null, null), engine('gemini', 0, null, null)])
  expect(unknown.least).toBeUndefined()
})

test('the rival is the most named competitor; one never named is none', () => {
  const brand = (name: string, mention_rate: number, owned = false) => ({
    brand: { name, owned },
    rank: 1,
    mention_rate,
  })
  expect(findRival([brand('Own', 0.9, true), brand('B', 0.1), brand('C', 0.3)])?.brand.name).toBe('C')
  expect(findRival([brand('Own', 0.9, true), brand('B', 0)])).toBeUndefined()
})

test('a week in which an engine has no answer is a gap', () => {
  const rates = toWeeklyRates([
    { brand: own, rank: 1, platform: 'claude', week: '2026-W45', mention_rate: 0.2 },
    { brand: own, rank: 1, platform: 'gemini', week: '2026-W44', mention_rate: 0 },
    { brand: own, rank: 1, platform: 'gemini', week: '2026-W45', mention_rate: 0.4 },
  ])
  expect(rates.get('claude')).toEqual([null, 0.2])
  expect(rates.get('gemini')).toEqual([0, 0.4])
})
