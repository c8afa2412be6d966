import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schedule } from '../../src/collect/scan-config.ts'
import { findDue, findNext } from '../../src/collect/schedule.ts'

const at = (text: string): number => Date.parse(`${text}Z`)

function makeSchedule(change: Partial<Schedule> = {}): Schedule {
  return { site: 'acme.com', cron: '0 5 * * *', zone: 'UTC', jitterMs: 0, ...change }
}

function dueAt(now: string, change: Partial<Schedule> = {}): string | undefined {
  const due = findDue(makeSchedule(change), at(now))
  return due && new Date(due.dueMs).toISOString().slice(0, 16)
}

test('a scan is due from its time on until the UTC day ends', () => {
  expect(dueAt('2026-11-22T04:59:59.999')).toBeUndefined()
  expect(dueAt('2026-11-22T05:00:00')).toBe('2026-11-22T05:00')
  expect(dueAt('2026-11-22T23:59:59')).toBe('2026-11-22T05:00')
  expect(dueAt('2026-11-23T00:00:00')).toBeUndefined()
})

test('several that were slept through are one', () => {
  expect(dueAt('2026-11-22T11:30:00', { cron: '0 */2 * * *' })).toBe('2026-11-22T10:00')
})

test('the fields are read in the zone, also where a clock is moved', () => {
  const berlin = { zone: 'Europe/Berlin' }
  expect(dueAt('2026-07-01T03:00:00', berlin)).toBe('2026-07-01T03:00')
  expect(dueAt('2026-12-01T03:00:00', berlin)).toBeUndefined()
  expect(dueAt('2026-12-01T04:00:00', berlin)).toBe('2026-12-01T04:00')
  // 02:30 doesn't exist on this day, and exists twice on the other.
  expect(dueAt('2026-03-29T12:00:00', { ...berlin, cron: '30 2 * * *' })).toBe('2026-03-29T01:00')
  expect(dueAt('2026-10-25T12:00:00', { ...berlin, cron: '30 2 * * *' })).toBe('2026-10-25T00:30')
})

test('a start that jitter moves past midnight is of the new day', () => {
  const late = { cron: '59 23 * * *', jitterMs: 12 * 3_600_000 }
  const due = findNext(makeSchedule(late), at('2026-11-21T12:00:00'))
  expect(due?.dueMs).toBe(at('2026-11-21T23:59:00'))
  expect(findDue(makeSchedule(late), due!.startMs)).toEqual(due)
  expect(findDue(makeSchedule(late), due!.startMs - 1)?.dueMs).not.toBe(due?.dueMs)
})

test('jitter is less than its bound, spread, and the same whenever it is asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: at('2026-01-01T00:00:00'), max: at('2027-01-01T00:00:00') }),
      fc.integer({ min: 1, max: 12 * 3_600_000 }),
      (now, jitterMs) => {
        const schedule = makeSchedule({ jitterMs })
        const next = findNext(schedule, now)
        expect(next).toEqual(findNext(schedule, now))
        expect(next!.startMs - next!.dueMs).toBeGreaterThanOrEqual(0)
        expect(next!.startMs - next!.dueMs).toBeLessThan(jitterMs)
        expect(findDue(schedule, next!.startMs)).toEqual(next)
      },
    ),
  )
  const starts = Array.from({ length: 100 }, (_, index) =>
    findNext(makeSchedule({ site: `site-${index}`, jitterMs: 1_000 }), at('2026-11-22T00:00:00')),
  ).map((next) => next!.startMs - next!.dueMs)
  const mean = starts.reduce((sum, each) => sum + each, 0) / starts.length
  expect(Math.abs(mean - 500)).toBeLessThan(100)
})
