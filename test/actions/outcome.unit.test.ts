import { expect, test } from 'vitest'
import { toMeasuring, toResult } from '../../src/actions/outcome.ts'

const of = (hits: number, total: number, answers = total) => ({ count: { hits, total }, answers })

test.each([
  [of(12, 180), of(24, 180), 'improved', 'Improved: named in 24 of 180 answers after, 12 of 180 before.'],
  [of(12, 180), of(23, 180), 'no_change', 'No significant change: named in 23 of 180 answers after, 12 of 180 before.'],
  [of(24, 180), of(12, 180), 'declined', 'Declined: named in 12 of 180 answers after, 24 of 180 before.'],
  [of(23, 180), of(12, 180), 'no_change', 'No significant change: named in 12 of 180 answers after, 23 of 180 before.'],
  [of(12, 180), of(4, 180), 'declined', 'Declined: named in 4 of 180 answers after, 12 of 180 before.'],
  [of(12, 180), of(5, 180), 'no_change', 'No significant change: named in 5 of 180 answers after, 12 of 180 before.'],
  [of(0, 30), of(6, 30), 'improved', 'Improved: named in 6 of 30 answers after, 0 of 30 before.'],
  [of(0, 30), of(5, 30), 'no_change', 'No significant change: named in 5 of 30 answers after, 0 of 30 before.'],
  [
    of(0, 30),
    of(29, 29),
    'not_enough_data',
    'Not enough data, 30 answers on each side are needed: named in 29 of 29 answers after, 0 of 30 before.',
  ],
  [
    of(0, 0),
    of(1_000, 1_200),
    'not_enough_data',
    'Not enough data, 30 answers on each side are needed: named in 1,000 of 1,200 answers after, 0 of 0 before.',
  ],
] as const)('%o before and %o after is %s', (before, after, verdict, summary) => {
  expect(toResult('mention', before, after)).toEqual({ before: before.count, after: after.count, verdict, summary })
})

test('coverage is judged by prompts, and needs 30 answers on each side', () => {
  expect(toResult('coverage', of(3, 12, 1_400), of(11, 12, 1_250))).toEqual({
    before: { hits: 3, total: 12 },
    after: { hits: 11, total: 12 },
    verdict: 'improved',
    summary: 'Improved: named for 11 of 12 prompts after, 3 of 12 before (1,250 answers after, 1,400 before).',
  })
  expect(toResult('coverage', of(3, 12, 1_400), of(11, 12, 29)).verdict).toBe('not_enough_data')
})

test('until the result is due the summary says what was before', () => {
  expect(toMeasuring('citation', of(12, 180), '2026-12-18')).toEqual({
    before: { hits: 12, total: 180 },
    after: null,
    verdict: null,
    summary: 'Measuring until 2026-12-18: cited in 12 of 180 answers before.',
  })
})
