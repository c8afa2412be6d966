import { expect, test } from 'vitest'
import { METRICS, toBasis, toMeasured, toRequested } from '../../src/dashboard/metrics.ts'

const row = {
  brand: { name: 'Acme', owned: true },
  rank: 1,
  mention_rate: 0.25,
  mention_rate_low: 0.1,
  mention_rate_high: 0.5,
  visibility_score: 40,
  named_answers: 3,
  brand_mentions: 9,
  share_of_voice: 1 / 3,
  answers: 12,
}

test('each metric is asked for once, with its ends and counts', () => {
  const asked = toRequested(METRICS)
  expect(new Set(asked).size).toBe(asked.length)
  expect(toRequested(['visibility_score'])).toEqual([
    'visibility_score',
    'visibility_score_low',
    'visibility_score_high',
    'answers',
  ])
})

test('a metric is read with what it is a share of; the score has its answers alone', () => {
  expect(toMeasured(row, 'mention_rate')).toEqual({ value: 0.25, low: 0.1, high: 0.5, count: 3, of: 12 })
  expect(toMeasured(row, 'share_of_voice')).toEqual({ value: 1 / 3, low: null, high: null, count: 3, of: 9 })
  expect(toMeasured(row, 'visibility_score')).toEqual({ value: 40, low: null, high: null, count: undefined, of: 12 })
})

test('without any answer there is no value, not 0', () => {
  expect(toMeasured({ ...row, answers: 0, mention_rate: 0 }, 'mention_rate')).toMatchObject({
    value: null,
    low: null,
    high: null,
  })
})

test('what a value stands on is said in words; without an interval the counts alone', () => {
  expect(toBasis(toMeasured(row, 'mention_rate'), 'mention_rate')).toMatch(/^3 of 12, 10.*50%$/)
  expect(toBasis(toMeasured(row, 'share_of_voice'), 'share_of_voice')).toBe('3 of 9')
  expect(toBasis(toMeasured(row, 'visibility_score'), 'visibility_score')).toBe('12 answers')
})
