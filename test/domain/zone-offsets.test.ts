import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { listZoneOffsets } from '../../src/domain/zone-offsets.ts'
import { ZONES } from '../reports/support/log-requests.ts'

const ms = (time: string): number => Date.parse(`${time}Z`)
const hours = (count: number): number => count * 3_600_000

describe('listZoneOffsets', () => {
  it('gives one offset where clocks stay', () => {
    expect(listZoneOffsets('Asia/Kathmandu', ms('2026-01-01T00:00'), ms('2027-01-01T00:00'))).toEqual([
      { startMs: ms('2026-01-01T00:00'), offsetMs: hours(5.75) },
    ])
  })

  it('finds the second at which clocks change, both ways', () => {
    expect(listZoneOffsets('Europe/Berlin', ms('2026-01-01T00:00'), ms('2027-01-01T00:00'))).toEqual([
      { startMs: ms('2026-01-01T00:00'), offsetMs: hours(1) },
      { startMs: ms('2026-03-29T01:00'), offsetMs: hours(2) },
      { startMs: ms('2026-10-25T01:00'), offsetMs: hours(1) },
    ])
    expect(listZoneOffsets('Australia/Lord_Howe', ms('2026-04-01T00:00'), ms('2026-11-01T00:00'))).toEqual([
      { startMs: ms('2026-04-01T00:00'), offsetMs: hours(11) },
      { startMs: ms('2026-04-04T15:00'), offsetMs: hours(10.5) },
      { startMs: ms('2026-10-03T15:30'), offsetMs: hours(11) },
    ])
  })

  it('follows a zone over the date line', () => {
    expect(listZoneOffsets('Pacific/Apia', ms('2011-12-29T00:00'), ms('2012-01-02T00:00'))).toEqual([
      { startMs: ms('2011-12-29T00:00'), offsetMs: hours(-10) },
      { startMs: ms('2011-12-30T10:00'), offsetMs: hours(14) },
    ])
  })

  it('refuses what is no zone', () => {
    expect(() => listZoneOffsets('Mars/Base', 0, 1)).toThrow(RangeError)
  })

  it('changes no clock but at a quarter of an hour since 2023, so that rows of quarters are fine enough for every zone', () => {
    const odd = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
      listZoneOffsets(zone, ms('2023-01-01T00:00'), ms('2031-01-01T00:00'))
        .filter(({ startMs, offsetMs }) => startMs % 900_000 !== 0 || offsetMs % 900_000 !== 0)
        .map((offset) => ({ zone, ...offset })),
    )
    expect(odd).toEqual([])
  })

  it('agrees with DuckDB, which has its own copy of the rules, in years that both copies know', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const [from, to] = [ms('2014-01-01T00:00'), ms('2026-06-01T00:00')]
    for (const zone of ZONES) {
      const reader = await connection.runAndReadAll(
        `WITH moments AS (
           SELECT s * 900_000 AS start_ms, (epoch_ms(timezone('${zone}', make_timestamptz(s * 900_000_000))) - s * 900_000)::DOUBLE AS offset_ms
           FROM range(${from / 900_000}, ${to / 900_000}) AS slots(s)
         )
         SELECT start_ms::DOUBLE, offset_ms
         FROM (SELECT *, lag(offset_ms) OVER (ORDER BY start_ms) AS before FROM moments)
         WHERE before IS DISTINCT FROM offset_ms
         ORDER BY start_ms`,
      )
      const expected = reader.getRowsJS().map(([startMs, offsetMs]) => ({ startMs, offsetMs }))
      expect({ zone, offsets: listZoneOffsets(zone, from, to) }).toEqual({ zone, offsets: expected })
    }
    connection.closeSync()
    instance.closeSync()
  })
})
