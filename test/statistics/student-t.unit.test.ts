import { expect, test } from 'vitest'
import { loadStudentT, NORMAL_CRITICAL_VALUE } from '../../src/statistics/student-t.ts'

const studentT = await loadStudentT()

// Computed with SciPy 1.15: stats.t.ppf(0.975, degrees).
test.each([
  [0.5, 164.55767348048818],
  [1, 12.706204736174694],
  [2, 4.302652729749462],
  [3.7, 2.8675207071911895],
  [7, 2.364624251592784],
  [19, 2.0930240544083087],
  [41.3, 2.019095554713038],
  [185, 1.9728699462108963],
  [5_000, 1.9604385517065073],
  [1e7, 1.959964221767205],
  [Number.POSITIVE_INFINITY, NORMAL_CRITICAL_VALUE],
])('the critical value of %d degrees of freedom is %d', (degrees, expected) => {
  for (const _ of ['computed', 'known']) {
    expect(Math.abs(studentT.criticalValue(degrees) / expected - 1)).toBeLessThan(1e-8)
  }
})

// Computed with SciPy: 2 * stats.t.sf(abs(t), degrees).
test.each([
  [0, 4, 1],
  [0.3, 1, 0.8144528418445154],
  [-2.1, 6, 0.08047768760465442],
  [2.1, 6, 0.08047768760465442],
  [5.5, 11.4, 0.0001638389921935316],
  [40, 5, 1.8411962171772954e-7],
  [1.96, 1e6, 0.04999606758526985],
])('%d with %d degrees of freedom has p = %d', (t, degrees, expected) => {
  expect(Math.abs(studentT.toPValue(t, degrees) / expected - 1)).toBeLessThan(1e-8)
})

test('the critical value has p = 0.05', () => {
  for (let degrees = 0.4; degrees < 400; degrees *= 1.07) {
    expect(studentT.toPValue(studentT.criticalValue(degrees), degrees)).toBeCloseTo(0.05, 10)
  }
})
