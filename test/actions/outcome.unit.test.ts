import { expect, test } from 'vitest'
import { toMeasuring, toResult } from '../../src/actions/outcome.ts'
import type { CardComparison } from '../../src/actions/verdict.ts'

const of = (hits: number, total: number, low?: number, high?: number) => ({
  count: { hits, total },
  answers: total,
  interval: low === undefined || high === undefined ? null : { low, high },
})
const window = { first: '2026-09-21', last: '2026-10-18', mayFlatter: false }
const before = { ...of(12, 180, 0.036, 0.113), window }
const after = of(41, 176, 0.177, 0.294)
const compared = (comparison: Partial<CardComparison>): CardComparison => ({
  verdict: 'improved',
  change: 0.17,
  untouched: { change: -0.012, prompts: 24, isMedian: false },
  p: 0.01,
  missing: null,
  ...comparison,
})

test.each([
  [
    compared({}),
    'Improved: named in 41 of 176 answers (18–29 %) after, 12 of 180 (4–11 %) before; 24 untouched prompts changed by −1 point. Before are the 28 days to 2026-10-18.',
  ],
  [
    compared({ verdict: 'declined', untouched: { change: 0.31, prompts: 24, isMedian: true } }),
    'Declined: named in 41 of 176 answers (18–29 %) after, 12 of 180 (4–11 %) before; 24 untouched prompts changed by +31 points (median). Before are the 28 days to 2026-10-18.',
  ],
  [
    compared({ verdict: 'no_change', untouched: { change: 0.004, prompts: 1_200, isMedian: false } }),
    'No significant change: named in 41 of 176 answers (18–29 %) after, 12 of 180 (4–11 %) before; 1,200 untouched prompts changed by 0 points. Before are the 28 days to 2026-10-18.',
  ],
  [
    compared({ verdict: 'not_enough_data', missing: { what: 'answers', needed: 30 } }),
    'Not enough data, 30 answers on each side are needed: named in 41 of 176 answers (18–29 %) after, 12 of 180 (4–11 %) before; 24 untouched prompts changed by −1 point. Before are the 28 days to 2026-10-18.',
  ],
  [
    compared({ verdict: 'not_enough_data', missing: { what: 'untouched prompts', needed: 19 }, untouched: null }),
    'Not enough data, 19 untouched prompts to hold it against are needed: named in 41 of 176 answers (18–29 %) after, 12 of 180 (4–11 %) before; no untouched prompt has answers on both sides. Before are the 28 days to 2026-10-18.',
  ],
])('%o is said in counts and intervals', (comparison, summary) => {
  expect(toResult('mention', { before, after, comparison })).toEqual({
    before: { hits: 12, total: 180 },
    after: { hits: 41, total: 176 },
    verdict: comparison.verdict,
    summary,
  })
})

test('coverage is said in prompts, with the answers behind them', () => {
  const covered = { ...of(3, 12, 0.089, 0.532), answers: 1_400, window: { ...window, mayFlatter: true } }
  const comparison = compared({ untouched: { change: 0.01, prompts: 24, isMedian: false } })
  const summary = toResult('coverage', {
    before: covered,
    after: { ...of(11, 12, 0.646, 0.985), answers: 1_250 },
    comparison,
  })
  expect(summary.summary).toBe(
    'Improved: named for 11 of 12 prompts (65–99 %) after, 3 of 12 (9–53 %) before (1,250 answers after, 1,400 before); 24 untouched prompts changed by +1 point. Before are the 28 days to 2026-10-18, in which the card was found: that may flatter it, since what is picked for being low rises by itself.',
  )
})

test('until the result is due the summary says what was before', () => {
  expect(toMeasuring('citation', before, '2026-12-18')).toEqual({
    before: { hits: 12, total: 180 },
    after: null,
    verdict: null,
    summary:
      'Measuring until 2026-12-18: cited in 12 of 180 answers (4–11 %) before. Before are the 28 days to 2026-10-18.',
  })
})
