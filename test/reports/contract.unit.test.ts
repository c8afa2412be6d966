import { expect, test } from 'vitest'
import { toTyped } from '../../src/reports/contract.ts'
import { REPORTS } from '../../src/reports/index.ts'
import { SENTIMENT } from '../../src/reports/sentiment/contract.ts'

const ROW = { positive: 0.5, neutral: 0.5, negative: 0, answers_mentioning: 2, answers: 3 }

test('a row keeps the order of its fields; one that the contract lacks is a fault of the query', () => {
  const row = { platform: 'chatgpt', date: '2026-11-22', ...ROW }
  expect(Object.keys(toTyped(SENTIMENT, row))).toEqual(Object.keys(row))
  expect(() => toTyped(SENTIMENT, { ...row, positive: 1.5 })).toThrow('the report sentiment made a row')
  expect(() => toTyped(SENTIMENT, { ...row, answers: undefined })).toThrow('the report sentiment made a row')
})

test('no two reports share a name, a path or the name of their rows', () => {
  for (const field of ['name', 'path', 'rowName', 'operation'] as const) {
    expect(new Set(REPORTS.map(({ contract }) => contract[field])).size).toBe(REPORTS.length)
  }
})
