import { expect, test } from 'vitest'
import { toKappa } from '../../src/statistics/kappa.ts'
import { NORMAL_CRITICAL_VALUE } from '../../src/statistics/student-t.ts'

// statsmodels 0.15: stats.inter_rater.cohens_kappa, its kappa and std_kappa.
test.each([
  [
    [
      [40, 5, 3],
      [6, 50, 9],
      [2, 4, 60],
    ],
    0.7545626477541372,
    0.04163740954319788,
  ],
  [
    [
      [10, 2],
      [3, 7],
    ],
    0.5378151260504201,
    0.1805167788067118,
  ],
  [
    [
      [20, 5, 0, 1],
      [3, 1, 2, 2],
      [0, 0, 9, 4],
      [1, 1, 1, 30],
    ],
    0.6315910660833525,
    0.06680996244683732,
  ],
])('is what statsmodels gives for %j', (table, kappa, deviation) => {
  const result = toKappa(table)
  expect(result.kappa).toBeCloseTo(kappa, 14)
  expect(result.interval?.low).toBeCloseTo(kappa - NORMAL_CRITICAL_VALUE * deviation, 13)
  expect(result.interval?.high).toBeCloseTo(kappa + NORMAL_CRITICAL_VALUE * deviation, 13)
})

test('an interval ends at -1 and 1', () => {
  expect(
    toKappa([
      [0, 4],
      [5, 0],
    ]),
  ).toMatchObject({ kappa: expect.closeTo(-0.9756097560975608, 14) as number, interval: { low: -1 } })
  expect(
    toKappa([
      [30, 1],
      [0, 3],
    ]).interval?.high,
  ).toBe(1)
})

test('full agreement has no interval, and labels of one class have no kappa', () => {
  expect(
    toKappa([
      [3, 0],
      [0, 4],
    ]),
  ).toEqual({ kappa: 1, interval: null })
  for (const table of [
    [
      [7, 0],
      [0, 0],
    ],
    [
      [5, 2],
      [0, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ])
    expect(toKappa(table)).toEqual({ kappa: null, interval: null })
})

test('a judge who always says the same agrees by chance alone', () => {
  const { kappa, interval } = toKappa([
    [10, 0, 0],
    [10, 0, 0],
    [10, 0, 0],
  ])
  expect(kappa).toBeCloseTo(0, 15)
  expect(interval).toBeNull()
})
