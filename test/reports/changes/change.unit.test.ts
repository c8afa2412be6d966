import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addChanges, type Cell, compareCoverage, compareRates } from '../../../src/reports/changes/change.ts'

const sums = fc.nat(9).chain((n) => fc.nat(n).map((s) => ({ n, s })))
const cells: fc.Arbitrary<Cell[]> = fc.array(fc.record({ prompt: fc.nat(6), previous: sums, current: sums }), {
  maxLength: 14,
})
const isCommon = ({ previous, current }: Cell): boolean => previous.n > 0 && current.n > 0

describe('the change of a rate', () => {
  it('is the mean of the cells by their weights, with the variance between prompts', () => {
    const change = compareRates([
      { prompt: 'a', previous: { n: 10, s: 2 }, current: { n: 10, s: 5 } },
      { prompt: 'a', previous: { n: 4, s: 1 }, current: { n: 12, s: 3 } },
      { prompt: 'b', previous: { n: 6, s: 3 }, current: { n: 3, s: 0 } },
      { prompt: 'c', previous: { n: 0, s: 0 }, current: { n: 9, s: 9 } },
    ])!
    // Weights 5, 3 and 2; differences 0.3, 0 and −0.5; so Δ = (1.5 + 0 − 1) / 10, u_a = 1.25 − 0.15, u_b = −1.1.
    expect(change.change).toBeCloseTo(0.05, 12)
    expect(change.value).toBeCloseTo((5 * 0.5 + 3 * 0.25) / 10, 12)
    expect(change.previous).toBeCloseTo((5 * 0.2 + 3 * 0.25 + 2 * 0.5) / 10, 12)
    expect(change.prompts.map(({ prompt }) => prompt)).toEqual(['a', 'b'])
    expect(change.prompts.map(({ part }) => part)).toEqual([expect.closeTo(0.15, 12), expect.closeTo(-0.1, 12)])
    expect(change.prompts.map(({ influence }) => influence)).toEqual([
      expect.closeTo(0.11, 12),
      expect.closeTo(-0.11, 12),
    ])
    expect(change.variance).toBeCloseTo((2 / 1) * (1.1 ** 2 + 1.1 ** 2) * 0.01, 12)
    expect(change.df).toBe(1)
  })

  it('is nothing without a cell that has answers in both ranges, and has no variance with one prompt', () => {
    expect(compareRates([])).toBeNull()
    expect(compareRates([{ prompt: 1, previous: { n: 5, s: 1 }, current: { n: 0, s: 0 } }])).toBeNull()
    expect(compareRates([{ prompt: 1, previous: { n: 5, s: 1 }, current: { n: 5, s: 2 } }])).toMatchObject({
      variance: null,
      df: 0,
    })
  })
})

describe('the change of coverage', () => {
  /** The share of all ways to keep `kept` of n answers, of which the first s name the brand, in which one that does is kept. */
  function covers({ n, s }: { n: number; s: number }, kept: number): number {
    let all = 0
    let covering = 0
    for (let ways = 0; ways < 1 << n; ways++) {
      const members = Array.from({ length: n }, (_, member) => (ways >> member) & 1)
      if (members.reduce((sum, member) => sum + member, 0) !== kept) continue
      all += 1
      if (members.slice(0, s).some((member) => member === 1)) covering += 1
    }
    return covering / all
  }

  it('keeps as many answers of a cell in both ranges, in the mean over all ways to keep them', () => {
    fc.assert(
      fc.property(cells, (given) => {
        const common = given.filter(isCommon)
        const prompts = [...new Set(common.map(({ prompt }) => prompt))]
        const found = compareCoverage(given)
        expect(found?.prompts.length ?? 0).toBe(prompts.length)
        if (found === null) return
        const covered = (prompt: Cell['prompt'], range: 'previous' | 'current'): number =>
          1 -
          common
            .filter((cell) => cell.prompt === prompt)
            .map((cell) => 1 - covers(cell[range], Math.min(cell.previous.n, cell.current.n)))
            .reduce((product, missed) => product * missed, 1)
        const mean = (range: 'previous' | 'current'): number =>
          prompts.map((prompt) => covered(prompt, range)).reduce((sum, each) => sum + each, 0) / prompts.length
        expect(found.value).toBeCloseTo(mean('current'), 9)
        expect(found.previous).toBeCloseTo(mean('previous'), 9)
        expect(found.change).toBeCloseTo(mean('current') - mean('previous'), 9)
      }),
      { numRuns: 60 },
    )
  })
})

describe('every change', () => {
  it('is the sum of its parts, is the difference of its values, and has influences that cancel', () => {
    fc.assert(
      fc.property(cells, (given) => {
        const rates = compareRates(given)
        const coverage = compareCoverage(given)
        expect(rates === null).toBe(coverage === null)
        if (rates === null || coverage === null) return
        const score = addChanges([
          [80, rates],
          [20, coverage],
        ])
        for (const { value, previous, change, prompts, variance, df } of [rates, coverage, score]) {
          const sum = (of: 'part' | 'influence') => prompts.reduce((total, prompt) => total + prompt[of], 0)
          expect(value - previous).toBeCloseTo(change, 9)
          expect(sum('part')).toBeCloseTo(change, 9)
          expect(sum('influence')).toBeCloseTo(0, 9)
          expect(df).toBe(prompts.length - 1)
          expect(variance === null).toBe(df === 0)
        }
        expect(score.change).toBeCloseTo(80 * rates.change + 20 * coverage.change, 9)
      }),
    )
  })

  it('turns around when the ranges do', () => {
    fc.assert(
      fc.property(cells, (given) => {
        const turned = given.map(({ prompt, previous, current }) => ({ prompt, previous: current, current: previous }))
        for (const compare of [compareRates, compareCoverage]) {
          const there = compare(given)
          const back = compare(turned)
          expect(there?.change ?? 0).toBeCloseTo(-(back?.change ?? 0), 12)
          expect(there?.variance ?? -1).toBeCloseTo(back?.variance ?? -1, 12)
        }
      }),
    )
  })
})
