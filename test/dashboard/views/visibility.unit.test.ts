import { expect, test } from 'vitest'
import { arrangeRows, toCellsRows } from '../../../src/dashboard/views/visibility/cells.ts'
import { pickBrands, toLines, toRankRange } from '../../../src/dashboard/views/visibility/lines.ts'
import { readChoices, toBrands, toggleBrand } from '../../../src/dashboard/views/visibility/choices.ts'

const own = { name: 'Acme', owned: true }
const other = (name: string) => ({ name, owned: false })
const days = ['2026-11-01', '2026-11-02', '2026-11-03']

test('choices are read back from the URL, names with commas and percent signs too', () => {
  const names = ['Acme, Inc.', '100 %', 'شركة', '株式会社']
  expect(
    readChoices({ more: { by: 'platform', metric: 'share_of_voice', cells: 'category', brands: toBrands(names) } }),
  ).toMatchObject({
    by: 'platform',
    metric: 'share_of_voice',
    cells: 'category',
    brands: names,
  })
  expect(readChoices({ more: { by: 'x', metric: 'x', cells: 'x', brands: '%E0%A4%A' } })).toEqual({
    by: 'brand',
    metric: 'mention_rate',
    cells: 'prompt',
    brands: ['%E0%A4%A'],
    search: '',
    order: 'high',
    page: 0,
  })
})

test('a brand is chosen and let go; the ninth takes the place of the first', () => {
  expect(toggleBrand(['A', 'B'], 'A')).toEqual(['B'])
  const eight = ['1', '2', '3', '4', '5', '6', '7', '8']
  expect(toggleBrand(eight, '9')).toEqual([...eight.slice(1), '9'])
})

test('of forty brands the chart shows the own one and the next four, the own one first', () => {
  const ranked = [
    ...Array.from({ length: 40 }, (_, index) => ({ brand: other(`B${index}`), rank: index + 1 })),
    { brand: own, rank: 41 },
  ]
  expect(pickBrands(ranked, [])).toEqual(['Acme', 'B0', 'B1', 'B2', 'B3'])
  expect(pickBrands(ranked, ['B9', 'gone', 'Acme'])).toEqual(['Acme', 'B9'])
  expect(pickBrands([], [])).toEqual([])
})

test('a day without a row, or without answers, is a gap and never 0', () => {
  const rows = [
    {
      brand: own,
      rank: 1,
      date: '2026-11-01',
      mention_rate: 0,
      mention_rate_low: 0,
      mention_rate_high: 0.2,
      answers: 9,
    },
    { brand: own, rank: 1, date: '2026-11-03', mention_rate: 0, answers: 0 },
  ]
  expect(toLines(rows, days, 'mention_rate', 'brand', [{ key: 'Acme', name: 'Acme' }])).toEqual([
    {
      name: 'Acme',
      values: [0, null, null],
      low: [0, null, null],
      high: [0.2, null, null],
      counts: [9, null, 0],
      isOwn: true,
    },
  ])
})

test('lines stand in the given order with the given names; a line without rows is left out', () => {
  const rows = ['claude', 'chatgpt'].map((platform) => ({
    brand: own,
    rank: 1,
    date: '2026-11-02',
    platform: platform as 'claude',
    mention_rate: 0.5,
    answers: 2,
  }))
  const order = ['chatgpt', 'gemini', 'claude'].map((key) => ({ key, name: key.toUpperCase() }))
  expect(toLines(rows, days, 'mention_rate', 'platform', order).map(({ name, isOwn }) => [name, isOwn])).toEqual([
    ['CHATGPT', false],
    ['CLAUDE', false],
  ])
})

test('a rank is a range where chance leaves more than one open, and nothing where there is none', () => {
  expect(toRankRange({ brand: own, rank: 2, rank_low: 1, rank_high: 3 })).toBe('1–3')
  expect(toRankRange({ brand: own, rank: 2, rank_low: 2, rank_high: 2 })).toBe('2')
  expect(toRankRange({ brand: own, rank: 2, rank_low: null, rank_high: null })).toBe('2')
  expect(toRankRange({ brand: own, rank: null })).toBe('–')
})

test('cells find their row by prompt or category; a cell that was not asked is missing', () => {
  const prompt = (id: string) => ({ id, text: `Question ${id}` })
  const totals = [
    { brand: own, rank: 1, prompt: prompt('2'), answers: 3 },
    { brand: own, rank: 1, prompt: prompt('1'), answers: 1 },
  ]
  const cells = [{ brand: own, rank: 1, prompt: prompt('1'), platform: 'claude' as const, answers: 1 }]
  const rows = toCellsRows(totals, cells, 'prompt')
  expect(rows.map(({ key, byEngine }) => [key, [...byEngine.keys()]])).toEqual([
    ['2', []],
    ['1', ['claude']],
  ])
  const categories = toCellsRows(
    [{ brand: own, rank: 1, category: 'Brand' }],
    [{ brand: own, rank: 1, category: 'Brand', platform: 'gemini' }],
    'category',
  )
  expect(categories[0]).toMatchObject({ key: 'Brand', label: 'Brand' })
  expect(categories[0]?.byEngine.has('gemini')).toBe(true)
})

test('rows are searched and ordered; a row without answers stands last, equal ones by name', () => {
  const row = (key: string, mention_rate: number, answers = 5) => ({
    key,
    label: `Question ${key}`,
    total: { brand: own, rank: 1, mention_rate, answers },
    byEngine: new Map(),
  })
  const rows = [row('10', 0.5), row('9', 0.5), row('3', 0, 0), row('4', 0.8)]
  const arrange = (order: 'high' | 'low' | 'name', search = '') =>
    arrangeRows(rows, { order, search, metric: 'mention_rate' }).map(({ key }) => key)
  expect(arrange('high')).toEqual(['4', '9', '10', '3'])
  expect(arrange('low')).toEqual(['9', '10', '4', '3'])
  expect(arrange('name')).toEqual(['3', '4', '9', '10'])
  expect(arrange('high', ' QUESTION 10')).toEqual(['10'])
})
