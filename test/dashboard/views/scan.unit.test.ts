import { expect, it } from 'vitest'
import type { TargetOutcome } from '../../../src/http/dashboard/operations/get-scan.ts'
import { toMoney, toMoneyRange } from '../../../src/dashboard/format.ts'
import { countDone, leftOf, listReasons } from '../../../src/dashboard/views/scan/scan-look.ts'

const target: TargetOutcome = {
  id: 'chatgpt',
  engine: 'chatgpt',
  provider: 'openai',
  model: null,
  role: 'main',
  calls: 10,
  planned: 2,
  asked: 1,
  task: 1,
  answered: 4,
  no_answer: 0,
  failed: 1,
  uncertain: 1,
  skipped_budget: 0,
  searched: null,
  cost_usd: 1,
  reserved_usd: 0.5,
  median_seconds: 12,
  reasons: [
    { status: 'uncertain', reason: 'no reply', calls: 1 },
    { status: 'failed', reason: 'status 400', calls: 1 },
  ],
}

it('says what is left of a budget: of the day or the month, whichever is less', () => {
  const budget = { usd_day: 3, usd_month: 60, spent_usd_day: 1, spent_usd_month: 59 }
  expect(leftOf(budget)).toBe(1)
  expect(leftOf({ ...budget, usd_month: null })).toBe(2)
  expect(leftOf({ ...budget, spent_usd_day: 4 })).toBe(0)
  expect(leftOf({ ...budget, usd_day: null, usd_month: null })).toBeUndefined()
  expect(leftOf(null)).toBeUndefined()
})

it('counts as done what is neither planned nor under way', () => {
  expect(countDone([target, { ...target, planned: 0, asked: 0, task: 0 }])).toEqual({ calls: 20, done: 16 })
  expect(countDone([])).toEqual({ calls: 0, done: 0 })
})

it('lists reasons of all targets, the most frequent first', () => {
  const other: TargetOutcome = {
    ...target,
    id: 'claude',
    reasons: [{ status: 'skipped_budget', reason: 'the budget', calls: 7 }],
  }
  expect(listReasons([target, other]).map((one) => [one.target, one.reason])).toEqual([
    ['claude', 'the budget'],
    ['chatgpt', 'no reply'],
    ['chatgpt', 'status 400'],
  ])
})

it('writes money so that cents hide nothing', () => {
  expect([0, 0.0126, 0.5, 1234.5].map(toMoney).map((text) => text.replace(/[\s,.]/g, ''))).toEqual([
    '$000',
    '$00126',
    '$050',
    '$123450',
  ])
  expect(toMoneyRange(2, 2)).toBe(toMoney(2))
})
