import { describe, expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import { openTries, type Trier } from '../../src/sign-in/tries.ts'
import { createTestClock } from '../catalog/support/test-catalog.ts'

const ANA = { account: 'ana@acme.com', address: '192.0.2.7' }

function openTestTries() {
  const clock = createTestClock()
  const tries = openTries(clock)
  /** Seconds to wait; 0 when the try is counted. */
  const attempt = (trier: Trier): number => {
    try {
      tries.begin(trier)
      return 0
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
      return error.retryAfterSeconds ?? -1
    }
  }
  const fail = (trier: Trier, times: number) => Array.from({ length: times }, () => attempt(trier))
  return { clock, tries, attempt, fail }
}

test('five tries are free; then each doubles the wait, up to a quarter of an hour', () => {
  const { clock, attempt, fail } = openTestTries()
  expect(fail(ANA, 6)).toEqual([0, 0, 0, 0, 0, 10])
  const waits = Array.from({ length: 9 }, () => {
    const seconds = attempt(ANA)
    clock.nowMs += seconds * 1_000 - 1
    expect(attempt(ANA)).toBe(1)
    clock.nowMs += 1
    expect(attempt(ANA)).toBe(0)
    return seconds
  })
  expect(waits).toEqual([10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test('a try that was refused counts for nothing, and says that the right password is refused too', () => {
  const { clock, attempt, fail, tries } = openTestTries()
  expect(fail(ANA, 100).slice(5)).toEqual(Array.from({ length: 95 }, () => 10))
  expect(() => tries.begin(ANA)).toThrow(
    'Too many failed tries. Try again in 10 s; until then the right password is refused too.',
  )
  clock.nowMs += 10_000
  expect(attempt(ANA)).toBe(0)
  expect(attempt(ANA)).toBe(20)
})

describe('what is counted', () => {
  test('the account from every address, and the address for every account', () => {
    const { attempt, fail } = openTestTries()
    fail(ANA, 5)
    expect(attempt({ ...ANA, address: '198.51.100.1' })).toBe(10)
    expect(attempt({ ...ANA, account: 'ben@acme.com' })).toBe(10)
    expect(attempt({ account: 'ben@acme.com', address: '198.51.100.1' })).toBe(0)
    expect(fail({ account: 'cem@acme.com', address: null }, 6)).toEqual([0, 0, 0, 0, 0, 10])
    expect(attempt({ account: 'dia@acme.com', address: null })).toBe(0)
  })

  test('an IPv6 network as one address', () => {
    const { attempt, fail } = openTestTries()
    for (let i = 1; i <= 5; i++) fail({ account: `a${i}`, address: `2001:db8:1:2::${i}` }, 1)
    expect(attempt({ account: 'b', address: '2001:db8:1:2:ffff::9' })).toBe(10)
    expect(attempt({ account: 'b', address: '2001:db8:1:3::1' })).toBe(0)
  })

  test('nothing of before a success, or of more than an hour ago', () => {
    const { clock, fail, tries } = openTestTries()
    fail(ANA, 4)
    tries.succeed(ANA)
    expect(fail(ANA, 6)).toEqual([0, 0, 0, 0, 0, 10])
    clock.nowMs += 3_600_000
    expect(fail(ANA, 6)).toEqual([0, 0, 0, 0, 0, 10])
  })
})

test('a try whose password was never looked at counts for nothing', () => {
  const { fail, tries } = openTestTries()
  fail(ANA, 4)
  tries.begin(ANA)
  tries.cancel(ANA)
  expect(fail(ANA, 2)).toEqual([0, 10])
})

test('a clock that is set back makes nobody wait longer', () => {
  const { clock, attempt, fail } = openTestTries()
  fail(ANA, 5)
  clock.nowMs -= 86_400_000
  expect(attempt(ANA)).toBe(10)
})

test('no more than 20,000 are remembered: a flood of invented accounts takes a bounded part of the memory', () => {
  const { attempt, fail } = openTestTries()
  fail({ account: 'first', address: null }, 5)
  expect(attempt({ account: 'first', address: null })).toBe(10)
  for (let i = 0; i < 20_000; i++) attempt({ account: `account ${i}`, address: null })
  expect(attempt({ account: 'first', address: null })).toBe(0)
})
