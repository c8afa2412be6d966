import { DAY_MS } from '../../domain/day.ts'
/**
 * Readers of log times, to whole seconds since 1970. All are strict: a day or an hour that doesn't exist, or anything
 * that isn't the expected shape, is undefined. The last date or minute is remembered, since
 * neighbouring lines share it.
 */

/** Characters of `17/May/2015:10:05:03 +0000`. */
export const CLF_TIME_LENGTH = 26

/** The time at `at` of a line in the common log format, nginx's `$time_local`: `17/May/2015:10:05:03 +0000`. */
export function parseClfTime(line: string, at: number): number | undefined {
  const minute = line.substring(at, at + 18)
  const seconds = parseTwoDigits(line, at + 18)
  const zone = isUtc(line, at + 20) ? 0 : parseZone(line.substring(at + 20, at + 26))
  if (minute !== lastMinute.text) {
    const days = parseClfDate(minute.slice(0, 11))
    const clock = parseClock(`${minute.slice(12)}00`, 0)
    if (days === undefined || clock === undefined || minute.charCodeAt(11) !== COLON) return undefined
    lastMinute = { text: minute, start: days * 86_400 + clock }
  }
  return seconds <= 60 && zone !== undefined ? lastMinute.start + seconds - zone : undefined
}

/**
 * An ISO 8601 time: `2026-11-21T10:57:03Z`, also with a space for `T`, with a fraction, with `+01:00` or `+0100`.
 * Without a zone it is UTC.
 */
export function parseIsoTime(text: string): number | undefined {
  const clock = parseClock(text, 11)
  const separator = text.charCodeAt(10)
  if (clock === undefined || (separator !== CAPITAL_T && separator !== SPACE)) return undefined
  if (!text.startsWith(lastIso.date)) {
    const days = parseIsoDate(text.slice(0, 10))
    if (days === undefined) return undefined
    lastIso = { date: text.slice(0, 10), seconds: days * 86_400 }
  }
  if (text.length === 20 && text.charCodeAt(19) === CAPITAL_Z) return lastIso.seconds + clock
  const tail = TAIL.exec(text.slice(19))
  if (tail === null) return undefined
  const zone = tail[1] === undefined ? 0 : parseZone(` ${tail[1].replace(':', '')}`)
  return zone === undefined ? undefined : lastIso.seconds + clock - zone
}

/** A count since 1970 in seconds, milliseconds, microseconds or nanoseconds, told by its size; a number or its text. */
export function parseEpochTime(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined
  if (value < 1e11) return Math.floor(value)
  if (value < 1e14) return Math.floor(value / 1e3)
  if (value < 1e17) return Math.floor(value / 1e6)
  if (value < 1e20) return Math.floor(value / 1e9)
  return undefined
}

/** Any of the above, as a JSON log has it. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value === 'number') return parseEpochTime(value)
  if (typeof value !== 'string') return undefined
  // Nanoseconds have more digits than a number holds.
  if (NANOSECONDS.test(value)) return Number(value.slice(0, -9))
  if (EPOCH.test(value)) return parseEpochTime(Number(value))
  if (value.charCodeAt(2) === SLASH) return value.length === CLF_TIME_LENGTH ? parseClfTime(value, 0) : undefined
  return HTTP_DATE.test(value) ? parseHttpDate(value) : parseIsoTime(value)
}

/** `Tue, 17 May 2015 10:05:03 GMT`, as morgan writes it. */
function parseHttpDate(text: string): number | undefined {
  return parseClfTime(`${text.slice(5, 16).replaceAll(' ', '/')}:${text.slice(17, 25)} +0000`, 0)
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
const COLON = 0x3a
const SPACE = 0x20
const PLUS = 0x2b
const SLASH = 0x2f
const ZERO = 0x30
const CAPITAL_T = 0x54
const CAPITAL_Z = 0x5a
const NANOSECONDS = /^\d{19}$/
const EPOCH = /^\d{9,17}(?:\.\d+)?$/
const TAIL = /^(?:[.,]\d{1,12})? ?(?:Z|UTC|([+-]\d\d:?\d\d))?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

let lastMinute = { text: '01/Jan/1970:00:00:', start: 0 }
let lastIso = { date: '1970-01-01', seconds: 0 }

/** Seconds since midnight of `10:05:03` at `at`; 60 seconds are a leap second. */
function parseClock(text: string, at: number): number | undefined {
  const hours = parseTwoDigits(text, at)
  const minutes = parseTwoDigits(text, at + 3)
  const seconds = parseTwoDigits(text, at + 6)
  const hasColons = text.charCodeAt(at + 2) === COLON && text.charCodeAt(at + 5) === COLON
  return hasColons && hours <= 23 && minutes <= 59 && seconds <= 60 ? hours * 3_600 + minutes * 60 + seconds : undefined
}

/** NaN unless both are digits. */
function parseTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Whether ` +0000` stands at `at`, as on most servers. */
function isUtc(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === SPACE &&
    text.charCodeAt(at + 1) === PLUS &&
    text.charCodeAt(at + 2) === ZERO &&
    text.charCodeAt(at + 3) === ZERO &&
    text.charCodeAt(at + 4) === ZERO &&
    text.charCodeAt(at + 5) === ZERO
  )
}

/** Days since 1970 of `17/May/2015`. */
function parseClfDate(text: string): number | undefined {
  const parts = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4})$/.exec(text)
  return parts === null ? undefined : toDays(Number(parts[3]), MONTHS.indexOf(parts[2] ?? ''), Number(parts[1]))
}

/** Days since 1970 of `2015-05-17`. */
function parseIsoDate(text: string): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  return parts === null ? undefined : toDays(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]))
}

/** Undefined for a day that doesn't exist and for years before 1970, from which no log comes. */
function toDays(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month, day)
  const date = new Date(ms)
  return year >= 1970 && date.getUTCMonth() === month && date.getUTCDate() === day ? ms / DAY_MS : undefined
}

/** Seconds east of UTC of ` +0530`. */
function parseZone(text: string): number | undefined {
  const parts = /^ ([+-])(\d\d)(\d\d)$/.exec(text)
  if (parts === null || Number(parts[2]) > 23 || Number(parts[3]) > 59) return undefined
  const seconds = Number(parts[2]) * 3_600 + Number(parts[3]) * 60
  return parts[1] === '-' ? -seconds : seconds
}
