import { expect, test } from 'vitest'
import { toPeriod } from '../../src/actions/periods.ts'

test.each([
  ['2026-11-20T07:03:09.120Z', '2026-W47', '2026-11'],
  ['2026-11-22T23:59:59.999Z', '2026-W47', '2026-11'],
  ['2026-11-23T00:00:00.000Z', '2026-W48', '2026-11'],
  ['2026-12-31T23:30:00.000Z', '2026-W53', '2026-12'],
  ['2027-01-03T23:30:00.000Z', '2026-W53', '2027-01'],
  ['2027-01-04T00:00:00.000Z', '2027-W01', '2027-01'],
  ['2024-12-30T00:00:00.000Z', '2025-W01', '2024-12'],
  ['2023-01-01T00:00:00.000Z', '2022-W52', '2023-01'],
])('%s is in the week %s and in the month %s', (moment, week, month) => {
  expect(toPeriod('weekly', Date.parse(moment))).toBe(week)
  expect(toPeriod('monthly', Date.parse(moment))).toBe(month)
})
