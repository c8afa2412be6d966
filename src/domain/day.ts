/** Days are `YYYY-MM-DD`, of UTC unless a zone is named; they compare as texts. */

export const DAY_MS = 86_400_000

/** Whether a text is `YYYY-MM-DD` and names a day that exists, of the years 1 to 9999. */
export function isDay(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false
  return isDate(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2))
}

const DASH = 0x2d

function isDate(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1)) return false
  if (month !== 2) return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
  return day <= (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28)
}

/** The number that `length` digits from `start` spell; NaN when one of them is no digit. */
function digits(text: string, start: number, length: number): number {
  let number = 0
  for (let i = start; i < start + length; i++) {
    const digit = text.charCodeAt(i) - 0x30
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

/** The day of a moment, in milliseconds since 1970. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/** When the day begins, in milliseconds since 1970; NaN for a text that is no day. */
export function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** Days from 1970-01-01 to the day. */
export function dayNumber(day: string): number {
  return dayStartMs(day) / DAY_MS
}

/** The day so many days later, or earlier. */
export function shiftDay(day: string, days: number): string {
  return toDay(dayStartMs(day) + days * DAY_MS)
}

/** Days from `first` to `last`, both included. */
export function dayCount(first: string, last: string): number {
  return dayNumber(last) - dayNumber(first) + 1
}

/** The month of a day, `YYYY-MM`. */
export function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length)
}

/** The first of a month that is the day, or the nearest one on that side of it. */
export function toMonthStart(day: string, side: 'or after' | 'or before'): string {
  const first = `${monthOf(day)}-01`
  // 31 days after the first of a month the next one has begun.
  return side === 'or before' || first === day ? first : `${monthOf(shiftDay(first, 31))}-01`
}

/** The week of a day, `2026-W47` (ISO 8601): it begins on Monday and belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const weekday = (new Date(dayStartMs(day)).getUTCDay() + 6) % 7
  const thursday = shiftDay(day, 3 - weekday)
  const year = thursday.slice(0, 'YYYY'.length)
  const week = Math.ceil(dayCount(`${year}-01-01`, thursday) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}
