import { expect, test } from 'vitest'
import { dueMs, overlaps, windowAfter, windowBefore, windowEndingOn, windowsBefore } from '../../src/actions/windows.ts'

test('a window has 28 days, both its ends included', () => {
  expect(windowEndingOn('2026-11-15')).toEqual({ first: '2026-10-19', last: '2026-11-15' })
  expect(windowBefore(windowEndingOn('2026-11-15'))).toEqual({ first: '2026-09-21', last: '2026-10-18' })
  expect(windowEndingOn('2028-03-01')).toEqual({ first: '2028-02-03', last: '2028-03-01' })
})

test('a card is measured from the day on which it was marked done', () => {
  for (const moment of ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']) {
    expect(windowAfter(moment)).toEqual({ first: '2026-11-20', last: '2026-12-17' })
  }
})

test('it is held against the days before it was found, or before it was done, which may be those in which it was found', () => {
  const found = { first: '2026-10-19', last: '2026-11-15' }
  const beforeFound = { first: '2026-09-21', last: '2026-10-18', mayFlatter: false }
  expect(windowsBefore(found, '2026-11-20T23:59:59.999Z')).toEqual([
    beforeFound,
    { first: '2026-10-23', last: '2026-11-19', mayFlatter: true },
  ])
  expect(windowsBefore(found, '2026-12-13T00:00:00.000Z')[1]).toMatchObject({ first: '2026-11-15', mayFlatter: true })
  expect(windowsBefore(found, '2026-12-14T00:00:00.000Z')).toEqual([
    beforeFound,
    { first: '2026-11-16', last: '2026-12-13', mayFlatter: false },
  ])
})

test('the result is due 28 days later, when the window after has closed', () => {
  const due = new Date(dueMs(Date.parse('2026-11-20T00:00:00.000Z'))).toISOString()
  expect(due).toBe('2026-12-18T00:00:00.000Z')
})

test('ranges overlap when they have a day in common', () => {
  const range = { first: '2026-11-10', last: '2026-11-20' }
  expect(overlaps(range, { first: '2026-11-20', last: '2026-11-30' })).toBe(true)
  expect(overlaps(range, { first: '2026-11-21', last: '2026-11-30' })).toBe(false)
  expect(overlaps(range, { first: '2026-11-01', last: '2026-11-09' })).toBe(false)
})
