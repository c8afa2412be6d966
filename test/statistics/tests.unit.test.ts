import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cell, compareRates } from '../../src/reports/changes/change.ts'
import { toQValues } from '../../src/statistics/benjamini-hochberg.ts'
import { toSignFlipPValue } from '../../src/statistics/sign-flip.ts'
import { toWelchDegrees } from '../../src/statistics/welch.ts'

describe('the sign flip', () => {
  // Computed with scipy.stats.permutation_test over all patterns.
  test.each([
    [[0.4, -0.1, 0.25, 0.3, 0.05, -0.02, 0.11], 0.109375],
    [[1, 1, 1, 1, 1, 1], 0.03125],
  ])('of %o has the p of all patterns counted out', (parts, expected) => {
    expect(toSignFlipPValue(parts)).toBe(expected)
  })

  test('counts patterns out as a recursion does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 10 }), (parts) => {
        expect(toSignFlipPValue(parts.map((part) => part / 10))).toBe(countOut(parts))
      }),
    )
  })

  test('is 1 where nothing changed, and refuses what it could not count out', () => {
    expect(toSignFlipPValue([0, 0, 0, 0, 0, 0])).toBe(1)
    expect(() => toSignFlipPValue(Array.from({ length: 21 }, () => 1))).toThrow('a sign flip of 21 parts')
  })

  function countOut(parts: readonly number[]): number {
    const sums = parts.reduce((all, part) => all.flatMap((sum) => [sum + part, sum - part]), [0])
    const found = Math.abs(parts.reduce((sum, part) => sum + part, 0))
    return sums.filter((sum) => Math.abs(sum) >= found - 1e-9).length / sums.length
  }
})

describe("Benjamini and Hochberg's q", () => {
  // Computed with statsmodels 0.14: multipletests(method='fdr_bh').
  test('is that of statsmodels, with ties', () => {
    const qValues = toQValues([0.001, 0.03, 0.03, 0.2, 0.8, 1, 0.012])
    const expected = [0.007, 0.0525, 0.0525, 0.28, 0.9333333333333335, 1, 0.042]
    for (const [place, q] of qValues.entries()) expect(q).toBeCloseTo(expected[place]!, 14)
    expect(qValues[1]).toBe(qValues[2])
  })

  test('of nothing is nothing, of one p itself', () => {
    expect(toQValues([])).toEqual([])
    expect(toQValues([0.04])).toEqual([0.04])
  })

  test('finds what the step-up rule finds, and gives equal p one q', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 }), (twentieths) => {
        const pValues = twentieths.map((value) => value / 20)
        const qValues = toQValues(pValues)
        for (const level of [0.05, 0.1, 0.3]) {
          const sorted = pValues.toSorted((a, b) => a - b)
          const last = sorted.findLastIndex((p, place) => p <= ((place + 1) * level) / sorted.length + 1e-12)
          const bound = sorted[last] ?? -1
          expect(qValues.map((q) => q <= level + 1e-12)).toEqual(pValues.map((p) => p <= bound))
        }
        expect(new Set(pValues.map((p, place) => `${p} ${qValues[place]}`)).size).toBe(new Set(pValues).size)
      }),
    )
  })
})

describe('a change in cells with answers on both sides', () => {
  const cell = (prompt: string, n1: number, s1: number, n2: number, s2: number): Cell => ({
    prompt,
    previous: { s: s1, n: n1 },
    current: { s: s2, n: n2 },
  })
  const CELLS = [
    cell('a', 10, 2, 12, 5),
    cell('a', 14, 7, 10, 4),
    cell('b', 20, 3, 18, 9),
    cell('c', 9, 0, 11, 1),
    cell('c', 8, 8, 12, 9),
    cell('d', 15, 5, 5, 1),
  ]

  // statsmodels 0.14: WLS of the cells' changes on a constant, cov_type='cluster', times G/(G−1).
  test('has the change and the variance that statsmodels gives', () => {
    const found = compareRates(CELLS)!
    expect(found.change).toBeCloseTo(0.07776277813983802, 14)
    expect(found.variance).toBeCloseTo(0.010939436652976328, 14)
    expect(found.prompts).toHaveLength(4)
    expect(found.prompts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(found.change, 14)
    expect(found.value - found.previous).toBeCloseTo(found.change, 14)
  })

  test('leaves out what has answers on one side only', () => {
    expect(compareRates([...CELLS, cell('e', 0, 0, 9, 9), cell('f', 4, 1, 0, 0)])).toEqual(compareRates(CELLS))
    expect(compareRates([cell('e', 0, 0, 9, 9)])).toBeNull()
  })

  test('has no variance with one prompt', () => {
    expect(compareRates(CELLS.slice(0, 2))!.variance).toBeNull()
  })
})

// scipy.stats.ttest_ind(equal_var=False).df of six and eight values.
test("Welch's degrees of freedom are those of SciPy", () => {
  const first = { variance: 0.24761111111111114, degrees: 5 }
  const second = { variance: 1.03, degrees: 7 }
  expect(toWelchDegrees(first, second)).toBeCloseTo(9.963961519840431, 12)
  expect(toWelchDegrees({ ...first, variance: 0 }, { ...second, variance: 0 })).toBe(12)
})
