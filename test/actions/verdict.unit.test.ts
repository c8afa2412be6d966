import { describe, expect, test } from 'vitest'
import { toComparison } from '../../src/actions/verdict.ts'
import type { Cell } from '../../src/reports/changes/change.ts'
import { loadStudentT } from '../../src/statistics/student-t.ts'

const studentT = await loadStudentT()

/** Prompts with 40 answers on each side, of which so many name the brand. */
const prompts = (named: readonly (readonly [before: number, after: number])[], answers = 40): readonly Cell[] =>
  named.map(([before, after], index) => ({
    prompt: `${named.length}-${index}`,
    previous: { n: answers, s: before },
    current: { n: answers, s: after },
  }))
/** So many untouched prompts whose changes are −2 to +2 of 40 answers. */
const calm = (count: number) => prompts(Array.from({ length: count }, (_, index) => [10, 8 + (index % 5)] as const))

describe('one to five target prompts', () => {
  test.each([
    [[[5, 20]], 19, 'improved', 0.05],
    [[[20, 5]], 19, 'declined', 0.05],
    [[[5, 6]], 19, 'no_change', undefined],
    [[[5, 20]], 18, 'not_enough_data', null],
    [
      [
        [5, 12],
        [5, 12],
      ],
      20,
      'improved',
      1 / 231,
    ],
    // Both ways at once is no verdict, however far.
    [
      [
        [5, 20],
        [20, 5],
      ],
      20,
      'no_change',
      undefined,
    ],
    [
      [
        [5, 12],
        [5, 12],
        [5, 12],
        [5, 12],
        [5, 12],
      ],
      40,
      'improved',
      undefined,
    ],
  ] as const)('%j among %i untouched prompts is %s', (targets, count, verdict, p) => {
    const found = toComparison('mention', { targets: prompts(targets), untouched: calm(count) }, studentT)
    expect(found.verdict).toBe(verdict)
    if (p === null) expect(found.p).toBeNull()
    else if (p !== undefined) expect(found.p).toBeCloseTo(p, 12)
    expect(found.untouched).toMatchObject({ prompts: count, isMedian: true })
  })

  test('are said to lack untouched prompts, or answers', () => {
    const few = toComparison('mention', { targets: prompts([[5, 20]]), untouched: calm(18) }, studentT)
    expect(few.missing).toEqual({ what: 'untouched prompts', needed: 19 })
    const unasked = toComparison('mention', { targets: prompts([[5, 20]], 29), untouched: calm(30) }, studentT)
    expect(unasked).toMatchObject({ verdict: 'not_enough_data', missing: { what: 'answers', needed: 30 } })
    expect(toComparison('mention', { targets: [], untouched: calm(30) }, studentT)).toMatchObject({
      verdict: 'not_enough_data',
      change: null,
    })
  })

  test('are judged the same each time, in whatever order prompts come', () => {
    const targets = prompts([
      [5, 9],
      [5, 9],
      [5, 8],
      [5, 8],
      [5, 8],
    ])
    const once = toComparison('mention', { targets, untouched: calm(60) }, studentT)
    const again = toComparison('mention', { targets: targets.toReversed(), untouched: calm(60).toReversed() }, studentT)
    expect(again).toEqual(once)
  })
})

describe('six target prompts and more', () => {
  const spread = [1, 3, 2, 4, 3, 2] as const
  const rising = (by: number) => prompts(spread.map((extra) => [10, 10 + by + extra] as const))

  // Welch's test of the two lists of changes, computed with scipy.stats.ttest_ind(equal_var=False).
  test.each([
    [0, 'improved', 0.0006375194012839468],
    [-2, 'no_change', 0.37128170498547897],
    [-5, 'declined', 0.0006375194012839447],
  ] as const)('rising by %i and a little are %s', (by, verdict, p) => {
    const found = toComparison('mention', { targets: rising(by), untouched: calm(20) }, studentT)
    expect(found).toMatchObject({ verdict, untouched: { prompts: 20, isMedian: false }, missing: null })
    expect(found.p).toBeCloseTo(p, 12)
  })

  test('need six untouched ones', () => {
    expect(toComparison('mention', { targets: rising(5), untouched: calm(5) }, studentT)).toMatchObject({
      verdict: 'not_enough_data',
      missing: { what: 'untouched prompts', needed: 6 },
    })
    expect(toComparison('mention', { targets: rising(5), untouched: calm(6) }, studentT).verdict).toBe('improved')
  })

  test('that fall with all others have not changed, though as counts they fell', () => {
    const fallen = prompts(spread.map((extra) => [30, 8 + extra] as const))
    const others = prompts(Array.from({ length: 20 }, (_, index) => [30, 8 + (index % 5)] as const))
    expect(toComparison('mention', { targets: fallen, untouched: others }, studentT).verdict).toBe('no_change')
  })

  test('that all change exactly as all others do have not changed, whatever rounding leaves', () => {
    const alike = (name: string, weights: readonly number[]): readonly Cell[] =>
      weights.map((weight, index) => ({
        prompt: `${name}-${index}`,
        previous: { n: 5 * weight, s: weight },
        current: { n: 5 * weight, s: 3 * weight },
      }))
    const targets = alike('target', [3, 4, 5, 3, 4, 5])
    const untouched = alike('other', [1, 2, 3, 4, 1, 2, 3, 4])
    expect(toComparison('mention', { targets, untouched }, studentT)).toMatchObject({ verdict: 'no_change', p: 1 })
  })

  test('count prompts asked more often for more, and are less sure then', () => {
    const heavy = rising(-1).map((cell, index) =>
      index === 0 ? { ...cell, previous: { n: 4_000, s: 1_000 }, current: { n: 4_000, s: 1_000 } } : cell,
    )
    const found = toComparison('mention', { targets: heavy, untouched: calm(20) }, studentT)
    expect(found.verdict).toBe('no_change')
    expect(found.change).toBeLessThan(0.01)
  })

  test('are compared by coverage where that is the metric', () => {
    const targets = prompts(Array.from({ length: 8 }, () => [0, 12] as const))
    const untouched = prompts(Array.from({ length: 12 }, (_, index) => [index % 2, index % 2] as const))
    expect(toComparison('coverage', { targets, untouched }, studentT)).toMatchObject({
      verdict: 'improved',
      change: 1,
      untouched: { change: 0 },
    })
  })
})
