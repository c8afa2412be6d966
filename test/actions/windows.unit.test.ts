import { expect, test } from 'vitest'
import { dueMs, outcomeWindows, overlaps, windowBefore, windowEndingOn } from '../../src/actions/windows.ts'

test('a window has 28 days, both its ends included', () => {
  expect(windowEndingOn('2026-11-15')).toEqual({ first: '2026-10-19', last: '2026-11-15' })
  expect(windowBefore(windowEndingOn('2026-11-15'))).toEqual({ first: '2026-09-21', last: '2026-10-18' })
  expect(windowEndingOn('2028-03-01')).toEqual({ first: '2028-02-03', last: '2028-03-01' })
})

test('a card is measured before the day on which it was marked done, and from that day on', () => {
  const moments = ['2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z']
  for (const moment of moments) {
    expect(outcomeWindows(moment)).toEqual({
      before: { first: '2026-10-23', last: '2026-11-19' },
      after: { first: '2026-11-20', last: '2026-12-17' },
    })
  }
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
