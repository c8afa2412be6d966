import { expect, test } from 'vitest'
import { findGaps, readNotes, toRuns } from '../../../src/dashboard/views/overview/health.ts'

const brand = { name: 'Acme', owned: true }
const range = { start_date: '2026-11-01', end_date: '2026-11-05' }

test('days and engines without answers are found, an engine that is there on some days by how many miss', () => {
  const rows = [
    { brand, rank: 1, date: '2026-11-01', platform: 'chatgpt' as const },
    { brand, rank: 1, date: '2026-11-01', platform: 'claude' as const },
    { brand, rank: 1, date: '2026-11-04', platform: 'chatgpt' as const },
  ]
  expect(findGaps(range, ['chatgpt', 'claude', 'gemini'], rows)).toEqual({
    days: ['2026-11-02', '2026-11-03', '2026-11-05'],
    engines: ['gemini'],
    partial: [{ engine: 'claude', missing: 1 }],
  })
})

test('without any row every day and engine is missing, and none is partial', () => {
  expect(findGaps(range, ['claude'], [])).toEqual({
    days: ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05'],
    engines: ['claude'],
    partial: [],
  })
})

test('consecutive days are one run, also over the end of a month', () => {
  expect(toRuns(['2026-10-31', '2026-11-01', '2026-11-03'])).toEqual([
    { start_date: '2026-10-31', end_date: '2026-11-01' },
    { start_date: '2026-11-03', end_date: '2026-11-03' },
  ])
  expect(toRuns([])).toEqual([])
})

test('notes are taken apart into engine and text; what has another form is passed over', () => {
  const info = {
    notes: [
      'copilot: the model changed, from a (x) to b (y).',
      'claude: no answers from 2026-11-01 to 2026-11-02.',
      'constructor: the model changed.',
      7,
      '?',
    ],
  }
  expect(readNotes(info)).toEqual([
    { engine: 'copilot', text: 'the model changed, from a (x) to b (y).', isModelChange: true },
    { engine: 'claude', text: 'no answers from 2026-11-01 to 2026-11-02.', isModelChange: false },
  ])
  expect(readNotes(undefined)).toEqual([])
})
