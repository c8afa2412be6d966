import { expect, test } from 'vitest'
import { dayCount, dayNumber, monthOf, shiftDay, toDay, toMonthStart, weekOf } from '../../src/domain/day.ts'

test('days are counted and shifted over months, years and leap days', () => {
  expect(shiftDay('2024-02-28', 1)).toBe('2024-02-29')
  expect(shiftDay('2100-02-28', 1)).toBe('2100-03-01')
  expect(shiftDay('2026-01-01', -1)).toBe('2025-12-31')
  expect(dayCount('2026-11-22', '2026-11-22')).toBe(1)
  expect(dayCount('2023-12-31', '2025-01-01')).toBe(368)
  expect([dayNumber('1970-01-01'), dayNumber('1969-12-31'), dayNumber('2026-11-22')]).toEqual([0, -1, 20_779])
})

test('a moment is of the day that UTC has', () => {
  expect(toDay(Date.UTC(2026, 10, 22, 23, 59, 59, 999))).toBe('2026-11-22')
  expect(toDay(-1)).toBe('1969-12-31')
})

test('a month begins on its first, and the nearest first is found on either side', () => {
  expect(monthOf('2026-11-22')).toBe('2026-11')
  expect(['2026-11-01', '2026-11-02', '2026-12-31', '2026-02-28'].map((day) => toMonthStart(day, 'or after'))).toEqual([
    '2026-11-01',
    '2026-12-01',
    '2027-01-01',
    '2026-03-01',
  ])
  expect(['2026-11-01', '2026-11-30'].map((day) => toMonthStart(day, 'or before'))).toEqual([
    '2026-11-01',
    '2026-11-01',
  ])
})

test('a week belongs to the year of its Thursday', () => {
  const weeks = {
    '2024-12-29': '2024-W52',
    '2024-12-30': '2025-W01',
    '2026-11-22': '2026-W47',
    '2026-11-23': '2026-W48',
    '2026-12-31': '2026-W53',
    '2027-01-03': '2026-W53',
    '2027-01-04': '2027-W01',
    '2021-01-01': '2020-W53',
  }
  expect(Object.fromEntries(Object.keys(weeks).map((day) => [day, weekOf(day)]))).toEqual(weeks)
})
