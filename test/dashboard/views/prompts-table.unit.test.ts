import { expect, test } from 'vitest'
import {
  arrange,
  PAGE_ROWS,
  readTable,
  toChunks,
  toLastDays,
  toPage,
  toPromptRows,
} from '../../../src/dashboard/views/prompts/table.ts'

const brand = { name: 'Acme', owned: true }
const prompt = (id: string, changed: object = {}) => ({
  id,
  text: `Question ${id}`,
  category: 'Brand' as const,
  market: null,
  status: 'active' as const,
  created_at: `2026-11-0${id}T00:00:00.000Z`,
  updated_at: '2026-11-01T00:00:00.000Z',
  ...changed,
})
const measured = (id: string, mention_rate: number) => ({
  brand,
  rank: 1,
  prompt: { id, text: '' },
  mention_rate,
  answers: 10,
})
const table = readTable({ more: {} })
const idsOf = (rows: ReturnType<typeof arrange>) => rows.map(({ prompt }) => prompt.id)

test('what the URL does not say, or says wrongly, is the default', () => {
  expect(table).toEqual({ search: '', status: 'all', sort: 'created', isDescending: false, page: 1 })
  expect(readTable({ more: { q: 'x', status: 'disabled', sort: '-rate', page: '3' } })).toEqual({
    search: 'x',
    status: 'disabled',
    sort: 'rate',
    isDescending: true,
    page: 3,
  })
  expect(readTable({ more: { status: 'odd', sort: 'odd', page: '-1' } })).toEqual(table)
})

test('prompts without an answer stand last, whichever way the rate is sorted', () => {
  const rows = toPromptRows([prompt('1'), prompt('2'), prompt('3')], [measured('1', 0.2), measured('3', 0.7)])
  expect(idsOf(arrange(rows, { ...table, sort: 'rate' }, []))).toEqual(['1', '3', '2'])
  expect(idsOf(arrange(rows, { ...table, sort: 'rate', isDescending: true }, []))).toEqual(['3', '1', '2'])
})

test('search is without case, in any script, or the whole id; status and categories leave out the others', () => {
  const rows = toPromptRows(
    [
      prompt('1', { text: 'Größte ÜBERSICHT' }),
      prompt('2', { text: '最高のツール', status: 'disabled' }),
      prompt('3', { text: 'ما هو أفضل', category: 'Pricing' }),
    ],
    [],
  )
  const find = (search: string) => idsOf(arrange(rows, { ...table, search }, []))
  expect([find('übersicht'), find('ツール'), find('أفضل'), find(' 2 '), find('nothing')]).toEqual([
    ['1'],
    ['2'],
    ['3'],
    ['2'],
    [],
  ])
  expect(idsOf(arrange(rows, { ...table, status: 'disabled' }, []))).toEqual(['2'])
  expect(idsOf(arrange(rows, table, ['Pricing', 'Brand']))).toEqual(['1', '2', '3'])
  expect(idsOf(arrange(rows, table, ['Pricing']))).toEqual(['3'])
})

test('a page behind the end is the last one, and no rows are one page', () => {
  const rows = Array.from({ length: PAGE_ROWS + 1 }, (_, index) => index)
  expect(toPage(rows, 9)).toEqual({ rows: [PAGE_ROWS], page: 2, pages: 2 })
  expect(toPage(rows, 1).rows).toHaveLength(PAGE_ROWS)
  expect(toPage([], 1)).toEqual({ rows: [], page: 1, pages: 1 })
})

test('the last day of each prompt is found in whatever order its days come', () => {
  const rows = ['2026-11-03', '2026-11-09', '2026-11-04'].map((date) => ({
    brand,
    rank: 1,
    date,
    prompt: { id: '1', text: '' },
  }))
  expect(toLastDays(rows)).toEqual(new Map([['1', '2026-11-09']]))
})

test('chunks hold everything once', () => {
  expect(toChunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(toChunks([], 2)).toEqual([])
})
