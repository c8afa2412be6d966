import { assert, date, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDay } from '../../src/domain/day.ts'
import { parseTimestamp, toScanTime } from '../../src/domain/scan-time.ts'

describe('isDay', () => {
  test.each(['2026-09-01', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('%s is a day', (text) => {
    expect(isDay(text)).toBe(true)
  })

  test.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-01',
    '2026-01-1',
    '26-01-01',
    '2026/01/01',
    '2026-01-01 ',
    '2026-01-0x',
    '٢٠٢٦-٠١-٠١',
    '',
  ])('%s is none', (text) => {
    expect(isDay(text)).toBe(false)
  })
})

describe('parseTimestamp', () => {
  test.each([
    ['2026-09-01T08:00:00Z', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01T08:00:00', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01T08:00', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01t08:00:00z', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01 08:00:00 UTC', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01 08:00:00 +00:00', '2026-09-01T08:00:00.000Z'],
    ['2026-09-01T08:00:00.5Z', '2026-09-01T08:00:00.500Z'],
    ['2026-09-01T08:00:00.123456789Z', '2026-09-01T08:00:00.123Z'],
    ['2026-09-01T00:30:00+05:30', '2026-08-31T19:00:00.000Z'],
    ['2026-09-01T23:30:00-0130', '2026-09-02T01:00:00.000Z'],
    ['2026-09-01T23:30:00-01', '2026-09-02T00:30:00.000Z'],
    ['1969-12-31T23:59:59Z', '1969-12-31T23:59:59.000Z'],
  ])('%s is read as %s', (text, iso) => {
    expect(new Date(parseTimestamp(text) ?? Number.NaN).toISOString()).toBe(iso)
  })

  test.each([
    '2026-09-01',
    '2026-09-31T08:00:00Z',
    '2026-09-01T24:00:00Z',
    '2026-09-01T08:60:00Z',
    '2026-09-01T08:00:60Z',
    '2026-09-01T08:00:00+24:00',
    '2026-09-01T08:00:00 CET',
    '2026-09-01T08:00:00Z ',
    '1790000000',
    'yesterday',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:00:00-02:00',
    '',
  ])('%s is refused', (text) => {
    expect(parseTimestamp(text)).toBeNull()
  })

  test('every moment is read back from what JavaScript writes, whatever the offset it is written with', () => {
    const moments = date({
      min: new Date('1000-01-02T00:00:00Z'),
      max: new Date('9999-12-30T00:00:00Z'),
      noInvalidDate: true,
    })
    assert(
      property(moments, integer({ min: -14 * 60, max: 14 * 60 }), (moment, offset) => {
        expect(parseTimestamp(moment.toISOString())).toBe(moment.getTime())
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const minutes = Math.abs(offset)
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
        expect(parseTimestamp(local + zone)).toBe(moment.getTime())
      }),
    )
  })
})

function pad(number: number): string {
  return String(number).padStart(2, '0')
}

describe('toScanTime', () => {
  test('the date decides the day, and the moment is kept beside it', () => {
    expect(toScanTime({ date: '2026-09-01', asked_at: '2026-09-03T08:00:00Z' })).toEqual({
      day: '2026-09-01',
      askedAtMs: Date.UTC(2026, 8, 3, 8),
    })
    expect(toScanTime({ date: '2026-09-01' })).toEqual({ day: '2026-09-01', askedAtMs: null })
  })

  test('without a date the day is that of the moment in UTC', () => {
    expect(toScanTime({ asked_at: '2026-09-01T00:30:00+05:30' }).day).toBe('2026-08-31')
    expect(toScanTime({ asked_at: '2026-09-01T00:30:00' }).day).toBe('2026-09-01')
  })
})
