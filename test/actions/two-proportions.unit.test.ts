import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isSignificantlyHigher,
  isSignificantlyMore,
  toPairedPValue,
  toPValue,
} from '../../src/actions/two-proportions.ts'
import type { CardCount } from '../../src/domain/action-card.ts'

const of = (hits: number, total: number): CardCount => ({ hits, total })

/** Counts with a total from 1 to `most`. */
const counts = (most: number): fc.Arbitrary<CardCount> =>
  fc.integer({ min: 1, max: most }).chain((total) => fc.integer({ min: 0, max: total }).map((hits) => of(hits, total)))

function leastExpected(first: CardCount, second: CardCount): number {
  const total = first.total + second.total
  const hits = first.hits + second.hits
  return (Math.min(first.total, second.total) * Math.min(hits, total - hits)) / total
}

describe('the p-value', () => {
  // Computed with Python's math.erfc and with exact fractions.
  test.each([
    [of(41, 176), of(12, 180), 1.0493064334896332e-5],
    [of(24, 180), of(12, 180), 0.035014981019662536],
    [of(23, 180), of(12, 180), 0.050359438712453075],
    [of(30, 100), of(18, 100), 0.04694472697848184],
    [of(500, 1000), of(100, 1000), 7.719934594295977e-85],
    [of(0, 30), of(6, 30), 0.023720703916957263],
    [of(0, 30), of(5, 30), 0.052185548617305975],
    [of(3, 10), of(11, 11), 0.0010319917440660474],
  ])('of %o and %o is %d', (first, second, expected) => {
    expect(Math.abs(toPValue(first, second) / expected - 1)).toBeLessThan(1e-9)
  })

  test('is that of the exact test, counted out table by table, where a count is expected below 5', () => {
    fc.assert(
      fc.property(counts(60), counts(60), (first, second) => {
        fc.pre(leastExpected(first, second) < 5)
        expect(toPValue(first, second)).toBeCloseTo(countOut(first, second), 9)
      }),
    )
  })

  test('is 1 where the shares are the same or a side is empty', () => {
    expect(toPValue(of(10, 100), of(20, 200))).toBe(1)
    expect(toPValue(of(0, 40), of(0, 50))).toBe(1)
    expect(toPValue(of(40, 40), of(50, 50))).toBe(1)
    expect(toPValue(of(0, 0), of(5, 50))).toBe(1)
  })

  test('is the same the other way round, and for misses instead of hits', () => {
    const miss = ({ hits, total }: CardCount): CardCount => of(total - hits, total)
    fc.assert(
      fc.property(counts(2_000), counts(2_000), (first, second) => {
        const value = toPValue(first, second)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        expect(toPValue(second, first)).toBeCloseTo(value, 9)
        expect(toPValue(miss(first), miss(second))).toBeCloseTo(value, 9)
      }),
    )
  })
})

/** Fisher's test by the definition: the weight of a table is the number of ways to get it. */
function countOut(first: CardCount, second: CardCount): number {
  const hits = first.hits + second.hits
  const ways = (x: number): bigint => choose(first.total, x) * choose(second.total, hits - x)
  let rare = 0n
  let all = 0n
  for (let x = 0; x <= first.total; x++) {
    all += ways(x)
    if (ways(x) <= ways(first.hits)) rare += ways(x)
  }
  return Number((rare * 10n ** 15n) / all) / 1e15
}

function choose(from: number, count: number): bigint {
  if (count < 0 || count > from) return 0n
  let ways = 1n
  for (let taken = 1; taken <= count; taken++) ways = (ways * BigInt(from - taken + 1)) / BigInt(taken)
  return ways
}

describe('a share is significantly higher', () => {
  test('only when it is higher, and by more than chance brings in fewer than 5 % of the cases', () => {
    expect(isSignificantlyHigher(of(24, 180), of(12, 180))).toBe(true)
    expect(isSignificantlyHigher(of(23, 180), of(12, 180))).toBe(false)
    expect(isSignificantlyHigher(of(12, 180), of(24, 180))).toBe(false)
    expect(isSignificantlyHigher(of(24, 180), of(0, 0))).toBe(false)
  })

  test('and clearer when several such questions are asked together', () => {
    expect(isSignificantlyHigher(of(30, 180), of(12, 180), 10)).toBe(true)
    expect(isSignificantlyHigher(of(26, 180), of(12, 180), 10)).toBe(false)
    expect(isSignificantlyHigher(of(26, 180), of(12, 180), 3)).toBe(true)
  })
})

describe('of two counts in the same answers one is significantly higher', () => {
  test('when fair coins would fall so unevenly in fewer than 5 % of the cases', () => {
    expect(isSignificantlyMore(6, 0)).toBe(true)
    expect(isSignificantlyMore(5, 0)).toBe(false)
    expect(isSignificantlyMore(0, 6)).toBe(false)
    expect(isSignificantlyMore(15, 5)).toBe(true)
    expect(isSignificantlyMore(14, 6)).toBe(false)
    expect(isSignificantlyMore(15, 5, 2)).toBe(false)
    expect(isSignificantlyMore(300, 250)).toBe(true)
    expect(isSignificantlyMore(10_000, 1_000, 1_000)).toBe(true)
  })

  test('with the p-value that counting the ways gives', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 80 }), (first, second) => {
        const coins = first + second
        const most = Math.max(first, second)
        let ways = 0n
        for (let x = most; x <= coins; x++) ways += choose(coins, x)
        const expected = Math.min(1, Number((2n * ways * 10n ** 15n) / 2n ** BigInt(coins)) / 1e15)
        expect(toPairedPValue(first, second)).toBeCloseTo(expected, 9)
      }),
    )
  })

  test('and hence also by the test of two independent shares', () => {
    const part = fc.integer({ min: 0, max: 1_000 })
    fc.assert(
      fc.property(part, part, fc.integer({ min: 1, max: 3_000 }), (first, second, total) => {
        fc.pre(first + second <= total && isSignificantlyMore(first, second))
        expect(toPValue(of(first, total), of(second, total))).toBeLessThan(0.05)
      }),
    )
  })
})
