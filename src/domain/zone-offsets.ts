import { DAY_MS } from './day.ts'

/** From `startMs` on, until the next one, a zone's clocks are ahead of UTC by `offsetMs`, or behind when it is negative. */
export interface ZoneOffset {
  readonly startMs: number
  readonly offsetMs: number
}

/** Rules of time zones have no finer moments than this. */
const SECOND_MS = 1_000

/**
 * How far a zone's clocks are from UTC between two moments (milliseconds since 1970), in order; the first entry starts at
 * `fromMs`. By the time zone data of this runtime. Throws RangeError for a name it doesn't know.
 */
export function listZoneOffsets(timezone: string, fromMs: number, toMs: number): readonly ZoneOffset[] {
  const offsetAt = openZone(timezone)
  const offsets: ZoneOffset[] = [{ startMs: fromMs, offsetMs: offsetAt(fromMs) }]
  for (let ms = fromMs; ms < toMs; ms += DAY_MS) {
    const next = Math.min(ms + DAY_MS, toMs)
    const before = offsets.at(-1)?.offsetMs ?? 0
    const offsetMs = offsetAt(next)
    // Clocks that change twice within a day have never been.
    if (offsetMs !== before) offsets.push({ startMs: findChange(offsetAt, ms, next), offsetMs })
  }
  return offsets
}

/** The first second after `beforeMs` with the offset that `afterMs` has. */
function findChange(offsetAt: (ms: number) => number, beforeMs: number, afterMs: number): number {
  const after = offsetAt(afterMs)
  let [low, high] = [beforeMs, afterMs]
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS
    if (offsetAt(middle) === after) high = middle
    else low = middle
  }
  return high
}

function openZone(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return local - Math.floor(ms / SECOND_MS) * SECOND_MS
  }
}
