const formats = new Map<string, Intl.DateTimeFormat>()
const known = new Map<string, LocalTime>()

export interface LocalTime {
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** `YYYY-MM-DDTHH:00`. */
  readonly hour: string
}

/** What the clock of a zone shows at a moment, by this runtime's own copy of the time zone data. */
export function toLocalTime(timeMs: number, timezone: string): LocalTime {
  const minute = Math.floor(timeMs / 60_000)
  const key = `${timezone} ${minute}`
  const found = known.get(key) ?? readClock(minute * 60_000, timezone)
  known.set(key, found)
  return found
}

function readClock(timeMs: number, timezone: string): LocalTime {
  const format = formats.get(timezone) ?? openFormat(timezone)
  formats.set(timezone, format)
  const parts = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]))
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`
  return { date, hour: `${date}T${parts['hour']}:00` }
}

function openFormat(timeZone: string): Intl.DateTimeFormat {
  const digits = '2-digit'
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
  })
}
