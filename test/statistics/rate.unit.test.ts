import { describe, expect, test } from 'vitest'
import {
  median,
  toClusteredVariance,
  toDesignEffect,
  toRate,
  toWilsonInterval,
  type ClusterCount,
} from '../../src/statistics/rate.ts'
import { loadStudentT } from '../../src/statistics/student-t.ts'

const studentT = await loadStudentT()
const of = (...counts: readonly (readonly [hits: number, answers: number])[]): ClusterCount[] =>
  counts.map(([hits, answers]) => ({ hits, answers }))

const SIX = of([5, 28], [12, 28], [0, 24], [9, 28], [3, 20], [14, 27])

describe('a share of answers in clusters', () => {
  // statsmodels 0.14: OLS on a constant with cov_type='cluster', times G/(G−1); proportion_confint(method='wilson').
  test('has the interval that statsmodels gives', () => {
    const rate = toRate(SIX, [], studentT)
    expect(rate).toMatchObject({ hits: 43, answers: 155, clusters: 6 })
    expect(toClusteredVariance(SIX)).toBeCloseTo(0.006008284554438923, 14)
    expect(toDesignEffect(SIX)).toBeCloseTo(4.645785017682982, 11)
    expect(rate.effectiveAnswers).toBeCloseTo(19.395719840214408, 8)
    expect(rate.interval!.low).toBeCloseTo(0.12849328587321304, 9)
    expect(rate.interval!.high).toBeCloseTo(0.4999373512191325, 9)
  })

  test('counts a cluster without answers for none', () => {
    expect(toRate([...SIX, { hits: 0, answers: 0 }], [], studentT)).toEqual(toRate(SIX, [], studentT))
    expect(toDesignEffect([...SIX, { hits: 0, answers: 0 }])).toBe(toDesignEffect(SIX))
  })

  test('never says more than independent answers would', () => {
    const alike = of([2, 10], [2, 10], [2, 10])
    expect(toDesignEffect(alike)).toBe(1)
    expect(toRate(alike, [], studentT).effectiveAnswers).toBeCloseTo(
      30 * (1.959963984540054 / 4.302652729749462) ** 2,
      8,
    )
  })

  test('borrows the median design effect at 0 and 1, and takes clusters for answers without any', () => {
    const none = of([0, 10], [0, 10], [0, 20])
    const whole = of([10, 10], [20, 20])
    expect(toDesignEffect(none)).toBeUndefined()
    expect(toDesignEffect(whole)).toBeUndefined()
    expect(toRate(none, [5, 2, 4, 1], studentT).effectiveAnswers).toBeCloseTo(
      (40 / 3) * (1.959963984540054 / 4.302652729749462) ** 2,
      8,
    )
    expect(toRate(none, [], studentT)).toMatchObject({ effectiveAnswers: 3, interval: { low: 0 } })
    expect(toRate(whole, [], studentT)).toMatchObject({ effectiveAnswers: 2, interval: { high: 1 } })
  })

  test('has no interval with fewer than two clusters', () => {
    expect(toRate(of([3, 9]), [2], studentT)).toEqual({
      hits: 3,
      answers: 9,
      clusters: 1,
      rate: 3 / 9,
      effectiveAnswers: null,
      interval: null,
    })
    expect(toRate([], [2], studentT)).toMatchObject({ answers: 0, rate: 0, effectiveAnswers: null, interval: null })
    expect(toDesignEffect(of([3, 9]))).toBeUndefined()
  })
})

// Computed with statsmodels 0.14.
test.each([
  [0, 12.5, 0, 0.23507441182848787],
  [1, 6, 0.6096657120978346, 1],
  [0.3, 37.25, 0.17734099201078415, 0.46005323959784905],
])("Wilson's interval of %d of %d answers is %d to %d", (rate, answers, low, high) => {
  const interval = toWilsonInterval(rate, answers)
  expect(interval.low).toBeCloseTo(low, 12)
  expect(interval.high).toBeCloseTo(high, 12)
  if (rate === 0) expect(interval.low).toBe(0)
  if (rate === 1) expect(interval.high).toBe(1)
})

test('the median is the middle one, or the mean of the middle two', () => {
  expect(median([])).toBeUndefined()
  expect(median([7])).toBe(7)
  expect(median([9, 1])).toBe(5)
  expect(median([30, 4, 11])).toBe(11)
})
