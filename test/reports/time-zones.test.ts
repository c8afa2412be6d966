import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../../data/demo/generator/random.ts'
import { listZoneOffsets } from '../../src/domain/zone-offsets.ts'
import { toLocalTime } from '../support/oracle/local-time.ts'
import { ZONES } from './support/log-requests.ts'
import { type ServedLogs, serveLogs } from './support/served-logs.ts'

const FIRST_MS = Date.parse('2026-01-02T00:00:00Z')
const LAST_MS = Date.parse('2026-12-31T00:00:00Z')
const RANGE = { start_date: '2026-01-01', end_date: '2027-01-01' }

/** Seconds of the year, most of them within three hours of a moment at which clocks change somewhere. */
const instants = makeInstants()
let served: ServedLogs
beforeAll(async () => {
  served = await serveLogs({ ranges: [], imports: [[instants.map(toLine)]] })
})
afterAll(() => served.close())

it.each(ZONES)('days and hours of %s are those that its clocks show', async (timezone) => {
  const request = { site_id: 'logs', timezone, ...RANGE, limit: 1_000_000, metrics: ['hits', 'last_visit'] as const }
  const expected = Map.groupBy(instants, (ms) => JSON.stringify(toLocalTime(ms, timezone)))
  const rows = [...expected]
    .map(([time, group]) => ({
      ...(JSON.parse(time) as { date: string; hour: string }),
      hits: group.length,
      last_visit: `${new Date(Math.max(...group)).toISOString().slice(0, 19)}Z`,
    }))
    .sort((a, b) => (a.hour < b.hour ? -1 : 1))
  const { data } = await served.service.app.reports.bots('logs', { ...request, group_by: ['date', 'hour'] })
  expect(data).toEqual(rows)

  const days = Map.groupBy(rows, ({ date }) => date)
  const byDay = await served.service.app.reports.bots('logs', { ...request, group_by: ['date'], metrics: ['hits'] })
  expect(byDay.data).toEqual(
    [...days].map(([date, hours]) => ({ date, hits: hours.reduce((sum, { hits }) => sum + hits, 0) })),
  )
})

it('the hour that a clock shows twice is one bucket, the one that it skips is none', async () => {
  const ask = async (day: string): Promise<unknown[]> => {
    const { data } = await served.service.app.reports.bots('logs', {
      site_id: 'logs',
      timezone: 'Europe/Berlin',
      start_date: day,
      end_date: day,
      limit: 100,
      group_by: ['hour'],
      metrics: ['hits'],
      sort: { field: 'hour', dir: 'asc' },
    })
    return data.map(({ hour }) => hour)
  }
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  expect(await ask('2026-10-25')).toEqual(hours.map((hour) => `2026-10-25T${hour}:00`))
  expect(await ask('2026-03-29')).toEqual(hours.filter((hour) => hour !== '02').map((hour) => `2026-03-29T${hour}:00`))
})

it.each(['europe/berlin', 'Mars/Base', '+02:00', 'GMT+2', 'PST', 'Factory', '', 'UTC\u0000'])(
  'refuses %j as a time zone',
  async (timezone) => {
    for (const path of ['/v1/reports/bots', '/v1/reports/referrals']) {
      const { status, body } = await served.ask(path, { ...RANGE, timezone })
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', details: [{ path: 'timezone' }] } },
      })
    }
  },
)

function makeInstants(): number[] {
  const random = seededRandom('time zones')
  const changes = new Set(
    ZONES.flatMap((zone) => listZoneOffsets(zone, FIRST_MS, LAST_MS).map(({ startMs }) => startMs)),
  )
  const near = [...changes].flatMap((change) =>
    Array.from({ length: 24 }, () => change + random.between(-3 * 3_600, 3 * 3_600) * 1_000),
  )
  // Every quarter of an hour of the two days on which clocks change in Europe.
  const whole = ['2026-03-28T22:00:00Z', '2026-10-24T22:00:00Z'].flatMap((start) =>
    Array.from({ length: 26 * 4 }, (_, quarter) => Date.parse(start) + quarter * 900_000),
  )
  const any = Array.from({ length: 1_500 }, () => random.between(FIRST_MS / 1_000, LAST_MS / 1_000) * 1_000)
  return [...near, ...whole, ...any].filter((ms) => ms >= FIRST_MS)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function toLine(ms: number): string {
  const [date = '', clock = ''] = new Date(ms).toISOString().split('T')
  const [year, month, day] = date.split('-')
  const time = `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`
  return `192.0.2.7 - - [${time}] "GET / HTTP/1.1" 200 1 "-" "GPTBot/1.3"`
}
