import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseClfTime, parseEpochTime, parseIsoTime, parseTime } from '../../src/import-logs/formats/log-time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const secondsArbitrary = fc.integer({ min: 0, max: 4_102_444_799 })
const zoneArbitrary = fc.constantFrom('+0000', '-0000', '+0530', '-0330', '+1245', '-1200', '+1400')

function zoneSeconds(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  return (zone.startsWith('-') ? -60 : 60) * minutes
}

/** How a server in that zone writes the instant. */
function write(seconds: number, zone: string): { readonly clf: string; readonly iso: string } {
  const local = new Date((seconds + zoneSeconds(zone)) * 1_000).toISOString()
  const clock = local.slice(11, 19)
  const month = MONTHS[Number(local.slice(5, 7)) - 1]
  return {
    clf: `${local.slice(8, 10)}/${month}/${local.slice(0, 4)}:${clock} ${zone}`,
    iso: `${local.slice(0, 10)}T${clock}${zone}`,
  }
}

describe('times of access logs', () => {
  it('are read in any zone, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(secondsArbitrary, zoneArbitrary), { maxLength: 8 }), (instants) => {
        // Local times before 1970 have no line of their own to be read from.
        for (const [seconds, zone] of instants.filter(([seconds]) => seconds > 86_400)) {
          const { clf, iso } = write(seconds, zone)
          expect(parseClfTime(`[${clf}]`, 1)).toBe(seconds)
          expect(parseTime(clf)).toBe(seconds)
          expect(parseIsoTime(iso)).toBe(seconds)
          expect(parseTime(`${iso.slice(0, -2)}:${iso.slice(-2)}`)).toBe(seconds)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('are read one after the other without one spoiling the next', () => {
    expect(parseClfTime('17/May/2015:10:05:03 +0000', 0)).toBe(1_431_857_103)
    expect(parseClfTime('17/May/2015:10:05:04 +0200', 0)).toBe(1_431_849_904)
    expect(parseClfTime('17/May/2015:10:05:xx +0000', 0)).toBeUndefined()
    expect(parseClfTime('17/May/2015:10:05:05 +0000', 0)).toBe(1_431_857_105)
    expect(parseClfTime('17/May/2015:10:65:05 +0000', 0)).toBeUndefined()
    expect(parseClfTime('17/May/2015:10:05:06 +0000', 0)).toBe(1_431_857_106)
    expect(parseClfTime('17/May/2015:10:05:60 +0000', 0)).toBe(1_431_857_160)
  })

  it.each([
    '31/Nov/2026:10:57:03 +0000',
    '29/Feb/2027:10:57:03 +0000',
    '00/Nov/2026:10:57:03 +0000',
    '21/nov/2026:10:57:03 +0000',
    '21/Noв/2026:10:57:03 +0000',
    '21/11/2026x:10:57:03 +0000',
    '21/Nov/1969:10:57:03 +0000',
    '21/Nov/2026:24:00:00 +0000',
    '21/Nov/2026:10:60:00 +0000',
    '21/Nov/2026:10:57:61 +0000',
    '21/Nov/2026:10:57:0  +0000',
    '21/Nov/2026:10:57:03 +000',
    '21/Nov/2026:10:57:03 0000 ',
    '21/Nov/2026:10:57:03 +2400',
    '21/Nov/2026:10:57:03 +0060',
    '21/Nov/2026 10:57:03 +0000',
    '',
    '-',
  ])('%j is refused', (text) => {
    expect(parseClfTime(text, 0)).toBeUndefined()
    expect(parseTime(text)).toBeUndefined()
  })

  it.each([
    ['2026-11-21T10:57:03Z', 1_795_258_623],
    ['2026-11-21 10:57:03', 1_795_258_623],
    ['2026-11-21T10:57:03', 1_795_258_623],
    ['2026-11-21T10:57:03.999999999Z', 1_795_258_623],
    ['2026-11-21T10:57:03,5+01:00', 1_795_255_023],
    ['2026-11-21T10:57:03 UTC', 1_795_258_623],
    ['2026-11-21 10:57:03 -0330', 1_795_271_223],
  ])('%s is read', (text, seconds) => {
    expect(parseIsoTime(text)).toBe(seconds)
  })

  it.each([
    '2026-11-31T10:57:03Z',
    '2026-13-01T10:57:03Z',
    '2026-02-29T10:57:03Z',
    '2026-11-21T24:57:03Z',
    '2026-11-21x10:57:03Z',
    '2026-11-21T10:57',
    '2026-11-21T10:57:03ZZ',
    '2026-11-21T10:57:03+25:00',
    '2026-1-2T10:57:03Z',
    'yesterday',
  ])('%s is refused', (text) => {
    expect(parseIsoTime(text)).toBeUndefined()
  })

  it('are counts of seconds, milliseconds, microseconds or nanoseconds, as numbers or texts', () => {
    for (const value of [1_795_258_623, 1_795_258_623.99, 1_795_258_623_999, 1_795_258_623_999_999, 1.7952586239e18]) {
      expect(parseEpochTime(value)).toBe(1_795_258_623)
      expect(parseTime(value)).toBe(1_795_258_623)
    }
    expect(parseTime('1795258623.123')).toBe(1_795_258_623)
    expect(parseTime('1795258623999999999')).toBe(1_795_258_623)
    for (const value of [
      -1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e21,
      '12',
      '1e9',
      true,
      null,
      {},
      '99999999999999999999',
    ]) {
      expect(parseTime(value)).toBeUndefined()
    }
  })
})
