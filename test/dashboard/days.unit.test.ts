import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, countDays, listDays, previousRange } from '../../src/dashboard/days.ts'
import { listPresets, toRange } from '../../src/dashboard/ranges.ts'
import { RANGE_DAYS_MAX } from '../../src/limits.ts'
import { parseUrl } from '../../src/dashboard/url-state.ts'

const range = fc
  .record({ start: fc.integer({ min: 0, max: 4_000 }), days: fc.integer({ min: 1, max: 400 }) })
  .map(({ start, days }) => ({
    start_date: addDays('2020-01-01', start),
    end_date: addDays('2020-01-01', start + days - 1),
  }))

const weekday = (day: string): number => new Date(day).getUTCDay()

describe('ranges of days', () => {
  it('lists as many days as it counts, from the first to the last', () => {
    fc.assert(
      fc.property(range, (given) => {
        const days = listDays(given)
        expect(days).toHaveLength(countDays(given))
        expect([days[0], days.at(-1)]).toEqual([given.start_date, given.end_date])
        expect(new Set(days).size).toBe(days.length)
      }),
    )
  })

  it('compares with as many days before, on the same weekdays, and shares no day', () => {
    fc.assert(
      fc.property(range, (given) => {
        const before = previousRange(given)
        expect(countDays(before)).toBe(countDays(given))
        expect(weekday(before.start_date)).toBe(weekday(given.start_date))
        expect(before.end_date < given.start_date).toBe(true)
        expect(countDays({ start_date: before.end_date, end_date: given.start_date })).toBeLessThanOrEqual(8)
      }),
    )
  })

  it('goes over the end of a month, a year and a leap day', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-02-28', 1), addDays('2026-03-01', -1)]).toEqual([
      '2027-01-01',
      '2028-02-29',
      '2026-02-28',
    ])
  })
})

describe('the days that a URL means', () => {
  const toDays = (search: string, view = 'overview') => {
    const state = parseUrl({ pathname: `/sites/acme.com/${view}`, search })
    if (state === undefined) throw new Error('no state')
    return toRange(state, '2026-11-15')
  }

  it('are the last 28 with data where it says nothing', () => {
    expect(toDays('')).toEqual({ start_date: '2026-10-19', end_date: '2026-11-15' })
  })

  it('are filled up where it says one end', () => {
    expect(toDays('?from=2026-11-01')).toEqual({ start_date: '2026-11-01', end_date: '2026-11-15' })
    expect(toDays('?to=2026-09-30')).toEqual({ start_date: '2026-09-03', end_date: '2026-09-30' })
    expect(toDays('?from=2026-12-24')).toEqual({ start_date: '2026-12-24', end_date: '2026-12-24' })
  })

  it('are the last that a view takes where it says more', () => {
    const search = '?from=2026-01-01&to=2026-11-15'
    expect(toDays(search)).toEqual({ start_date: '2026-08-15', end_date: '2026-11-15' })
    expect(countDays(toDays(search))).toBe(RANGE_DAYS_MAX.answers + 1)
    expect(toDays(search, 'crawlers')).toEqual({ start_date: '2026-01-01', end_date: '2026-11-15' })
    expect(countDays(toDays('?from=1990-01-01', 'visitors'))).toBe(RANGE_DAYS_MAX.logs + 1)
  })

  it('are the usual ones where it says a year that is none of ours', () => {
    expect(toDays('?to=0000-01-01')).toEqual(toDays(''))
    expect(toDays('?to=9999-12-31')).toEqual(toDays(''))
  })

  it('are whole months where a preset says so', () => {
    const ranges = Object.fromEntries(listPresets('2026-03-10').map(({ title, range }) => [title, range]))
    expect(ranges['This month']).toEqual({ start_date: '2026-03-01', end_date: '2026-03-10' })
    expect(ranges['Last month']).toEqual({ start_date: '2026-02-01', end_date: '2026-02-28' })
    expect(ranges['Last 7 days']).toEqual({ start_date: '2026-03-04', end_date: '2026-03-10' })
  })
})
