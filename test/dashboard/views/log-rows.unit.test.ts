import { describe, expect, it } from 'vitest'
import { listVerifications, toVerification } from '../../../src/dashboard/views/crawlers/verification.ts'
import { toDailyLines } from '../../../src/dashboard/views/logs/daily-lines.ts'
import { toHoursOfDay, toHourSpan } from '../../../src/dashboard/views/visitors/hours.ts'
import { toSourceName } from '../../../src/dashboard/views/visitors/source-names.ts'
import { listLogFilters, toLogFilter, toPathSearch } from '../../../src/dashboard/views/logs/log-filter.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03']
const options = { days, most: 2, nameOf: (group: string) => group.toUpperCase(), restName: 'Others' }

describe('lines by day', () => {
  it('have 0 where the log says nothing of a group, and a gap where it says nothing at all', () => {
    const counts = [
      { date: '2026-11-01', group: 'a', count: 3 },
      { date: '2026-11-03', group: 'b', count: 2 },
    ]
    expect(toDailyLines(counts, { ...options, heard: new Set(['2026-11-01', '2026-11-03']) })).toEqual([
      { name: 'A', values: [3, null, 0] },
      { name: 'B', values: [0, null, 2] },
    ])
    expect(toDailyLines([], { ...options, heard: new Set() })).toEqual([])
  })

  it('are of those with most; the rest is one line, unless it is a single one', () => {
    const counts = ['a', 'b', 'c', 'd'].map((group, index) => ({ date: '2026-11-01', group, count: 4 - index }))
    const heard = new Set(['2026-11-01'])
    expect(toDailyLines(counts, { ...options, heard }).map(({ name, values }) => [name, values[0]])).toEqual([
      ['A', 4],
      ['B', 3],
      ['Others', 3],
    ])
    expect(toDailyLines(counts.slice(0, 3), { ...options, heard }).map(({ name }) => name)).toEqual(['A', 'B', 'C'])
  })
})

describe('what addresses say of hits', () => {
  it('is told from the three counts that the report gives', () => {
    expect(toVerification({ shown: 9385, verified: 8815, others: 794 })).toEqual({
      verified: 8815,
      unverifiable: 570,
      spoofed: 224,
    })
  })

  it('is told of a bot that was only ever spoofed, too', () => {
    const bots = listVerifications({
      shown: [{ bot_name: 'GPTBot', hits: 10 }],
      verified: [{ bot_name: 'GPTBot', hits: 10 }],
      others: [{ bot_name: 'CCBot', hits: 3 }],
    })
    expect([...bots]).toEqual([
      ['GPTBot', { verified: 10, unverifiable: 0, spoofed: 0 }],
      ['CCBot', { verified: 0, unverifiable: 0, spoofed: 3 }],
    ])
  })
})

describe('filters in the URL', () => {
  const fields = [
    { parameter: 'bot', field: 'bot_name', title: 'Crawler' },
    { parameter: 'type', field: 'page_type', title: 'Pages', nameOf: () => 'Pricing' },
  ]

  it('become the tree of the report', () => {
    expect(toLogFilter({ more: {} }, fields)).toEqual({})
    expect(toLogFilter({ more: { bot: 'GPTBot', by: 'bot' } }, fields)).toEqual({
      filter: { field: 'bot_name', op: 'is', value: 'GPTBot' },
    })
    expect(toLogFilter({ more: { bot: 'GPTBot', type: 'pricing' } }, fields, toPathSearch(' /Docs '))).toEqual({
      filter: {
        and: [
          { field: 'bot_name', op: 'is', value: 'GPTBot' },
          { field: 'page_type', op: 'is', value: 'pricing' },
          { field: 'path', op: 'contains_case_insensitive', value: '/Docs' },
        ],
      },
    })
    expect(toPathSearch('  ')).toEqual([])
  })

  it('are named as people say them', () => {
    expect(listLogFilters({ more: { bot: 'GPTBot', type: 'pricing' } }, fields)).toEqual([
      { parameter: 'bot', label: 'Crawler: GPTBot' },
      { parameter: 'type', label: 'Pages: Pricing' },
    ])
  })
})

describe('hours of the day', () => {
  it('put the same hour of different days together', () => {
    const hours = toHoursOfDay([
      { hour: '2026-11-01T00:00', visits: 2 },
      { hour: '2026-11-02T00:00', visits: 3 },
      { hour: '2026-11-02T23:00', visits: 1 },
    ])
    expect([hours.length, hours[0], hours[1], hours[23]]).toEqual([24, 5, 0, 1])
    expect([toHourSpan(9), toHourSpan(23)]).toEqual(['09:00–10:00', '23:00–00:00'])
  })
})

it('names sources as people do, those that nobody listed too', () => {
  expect(['chatgpt', 'meta_ai', 'new_engine'].map(toSourceName)).toEqual(['ChatGPT', 'Meta AI', 'New engine'])
})
