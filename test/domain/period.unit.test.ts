import { expect, test } from 'vitest'
import { firstKeptDay, isPeriod } from '../../src/domain/period.ts'

const NOON = Date.parse('2026-11-22T12:00:00Z')

test.each([
  ['1d', '2026-11-21'],
  ['90d', '2026-08-24'],
  ['1mo', '2026-10-22'],
  ['24mo', '2024-11-22'],
  ['11mo', '2025-12-22'],
  ['3y', '2023-11-22'],
  ['keep', undefined],
])('with %s the first day kept is %s', (period, day) => {
  expect(isPeriod(period)).toBe(true)
  expect(firstKeptDay(period, NOON)).toBe(day)
})

test.each([
  ['2026-03-31', '1mo', '2026-02-28'],
  ['2024-03-31', '1mo', '2024-02-29'],
  ['2024-02-29', '1y', '2023-02-28'],
  ['2026-12-31', '3mo', '2026-09-30'],
  ['2026-01-31', '1mo', '2025-12-31'],
  ['2026-01-31', '9999y', '0001-01-01'],
])('on %s, %s back is %s, never a day of the next month', (today, period, day) => {
  expect(firstKeptDay(period, Date.parse(`${today}T23:59:59Z`))).toBe(day)
})

test.each(['', '0d', '24', 'mo', '24 mo', '1.5y', '-1d', '24m', '10000d', 'forever'])('%j is no period', (text) => {
  expect(isPeriod(text)).toBe(false)
})
