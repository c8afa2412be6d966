import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VERIFICATIONS } from '../../src/derive/verification.ts'
import { type HitRows, type SummedHits, sumHits, toMonthKeys, toQuarterKeys } from '../../src/lake/hit-keys.ts'
import { LOG_CHUNK_PATHS_MAX, LOG_SECONDS_MAX } from '../../src/limits.ts'
import { listBots } from '../../src/reference/bots.ts'

const BOT_NO_MAX = 1_023
const PLACE_MAX = 2 ** 18 - 1

interface Hit {
  readonly place: number
  readonly time: number
  readonly bot: number
  readonly verification: number
  readonly error: number
}

const hit = fc.record({
  place: fc.oneof(fc.nat(3), fc.nat(PLACE_MAX), fc.constant(PLACE_MAX)),
  time: fc.oneof(fc.nat(5_000), fc.integer({ min: 0, max: LOG_SECONDS_MAX }), fc.constant(LOG_SECONDS_MAX)),
  bot: fc.oneof(fc.nat(2), fc.nat(BOT_NO_MAX)),
  verification: fc.nat(3),
  error: fc.nat(1),
})

test('the parts of a key have room for every path of a chunk, every bot and every verification', () => {
  expect({
    paths: LOG_CHUNK_PATHS_MAX <= PLACE_MAX,
    bots: listBots().every(({ botNo }) => botNo <= BOT_NO_MAX),
    verifications: VERIFICATIONS.length <= 4,
  }).toEqual({ paths: true, bots: true, verifications: true })
})

test('hits are summed up by quarters of an hour, in the order of days, places, bots, verifications and quarters', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 200 }), (hits) => {
      const sums = sumHits(toQuarterKeys(toRows(hits), toPlaces(hits)))
      const read = toList(sums).map(({ high, low, ...counts }) => ({
        key: [
          high >>> 16,
          ((high & 0xffff) << 2) | (low >>> 30),
          (low >>> 20) & 1_023,
          (low >>> 18) & 3,
          (low >>> 11) & 127,
        ],
        last: (low >>> 1) & 1_023,
        ...counts,
      }))
      const expected = group(hits, ({ place, time, bot, verification }) => ({
        key: [Math.floor(time / 86_400), place, bot, verification, Math.floor(time / 900) % 96],
        last: time % 900,
      }))
      expect(read).toEqual(expected)
    }),
  )
})

test('hits are summed up by months, in the order of months, places, bots and verifications', () => {
  fc.assert(
    fc.property(fc.array(hit, { maxLength: 200 }), (hits) => {
      const rows = toRows(hits)
      const sums = sumHits(toMonthKeys([rows, rows], toPlaces(hits)))
      const read = toList(sums).map(({ high, low, ...counts }) => ({
        key: [high >>> 21, (high >>> 3) & PLACE_MAX, ((high & 7) << 7) | (low >>> 25), (low >>> 23) & 3],
        last: (low >>> 1) & 0x3f_ffff,
        ...counts,
      }))
      const expected = group([...hits, ...hits], ({ place, time, bot, verification }) => {
        const date = new Date(time * 1_000)
        const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
        return { key: [month, place, bot, verification], last: time - Date.UTC(1970, month) / 1_000 }
      })
      expect(read).toEqual(expected)
    }),
  )
})

function toRows(hits: readonly Hit[]): HitRows {
  return {
    path: Uint32Array.from(hits, (_, no) => no),
    time: Uint32Array.from(hits, ({ time }) => time),
    bot: Uint32Array.from(hits, ({ bot }) => bot),
    verification: Uint32Array.from(hits, ({ verification }) => verification),
    error: Uint32Array.from(hits, ({ error }) => error),
  }
}

function toPlaces(hits: readonly Hit[]): Uint32Array {
  return Uint32Array.from(hits, ({ place }) => place)
}

function toList(sums: SummedHits): { high: number; low: number; hits: number; errors: number }[] {
  return Array.from(sums.high, (high, no) => ({
    high,
    low: sums.low[no]!,
    hits: sums.hits[no]!,
    errors: sums.error_hits[no]!,
  }))
}

interface Group {
  readonly key: readonly number[]
  readonly last: number
  readonly hits: number
  readonly errors: number
}

function group(hits: readonly Hit[], toGroup: (hit: Hit) => { key: readonly number[]; last: number }): Group[] {
  const groups = new Map<string, Group>()
  for (const one of hits) {
    const { key, last } = toGroup(one)
    const known = groups.get(key.join()) ?? { key, last, hits: 0, errors: 0 }
    groups.set(key.join(), {
      key,
      last: Math.max(known.last, last),
      hits: known.hits + 1,
      errors: known.errors + one.error,
    })
  }
  const compare = (a: Group, b: Group): number => {
    const at = a.key.findIndex((part, no) => part !== b.key[no])
    return a.key[at]! - b.key[at]!
  }
  return [...groups.values()].sort(compare)
}
