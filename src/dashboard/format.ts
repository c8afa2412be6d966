import { today } from './clock.ts'

/** Numbers and days as the reader's browser writes them. Days are of UTC everywhere. */
const locale = typeof navigator === 'undefined' ? 'en' : navigator.language

const whole = new Intl.NumberFormat(locale)
const tenth = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
const signed = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
const finePercent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
const longDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' })
const day = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' })
const minute = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })
const moment = new Intl.DateTimeFormat(locale, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const list = new Intl.ListFormat(locale, { type: 'conjunction' })
const toDollars = (digits: number) =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
const cents = toDollars(2)
const fineCents = toDollars(4)
const collator = new Intl.Collator(locale, { numeric: true })

/** `1,440` */
export const toCount = (value: number): string => whole.format(value)
/** `1 answer`, `1,440 answers`. */
export const toCountOf = (value: number, one: string, many = `${one}s`): string =>
  `${whole.format(value)} ${value === 1 ? one : many}`
/** `41.3`, of scores and positions. */
export const toNumber = (value: number): string => tenth.format(value)
/** `29 %`, and `0.4 %` where a whole number would hide it. */
export const toPercent = (share: number): string =>
  Math.abs(share) < 0.1 && share !== 0 ? finePercent.format(share) : percent.format(share)
/** `+4.1` of a difference of two scores; with a minus sign where the language writes a hyphen. */
export const toSigned = (difference: number): string => signed.format(difference).replace('-', '−')
/** `+4.1 points` of a difference of two shares. */
export const toPoints = (difference: number): string => `${toSigned(difference * 100)} points`
/** `15 Nov` of a day `YYYY-MM-DD`. */
export const toShortDay = (day: string): string => shortDay.format(new Date(day))
/** `Sun, 15 Nov` of a day. */
export const toWeekday = (day: string): string => weekday.format(new Date(day))
/** `15 Nov 2026` of a day or timestamp. */
export const toDay = (moment: string): string => day.format(new Date(moment))
/** `15 November 2026` of a day. */
export const toLongDay = (day: string): string => longDay.format(new Date(day))
/** `19 Oct – 15 Nov 2026` of days, both included. */
export const toDays = (from: string, to: string): string => longDay.formatRange(new Date(from), new Date(to))
/** `15 Nov 2026, 09:00` in UTC, of a timestamp. */
export const toMinute = (timestamp: string): string => `${minute.format(new Date(timestamp))} UTC`
/** `15 Nov, 09:00` in UTC, with the year where it isn't this one; for columns whose head says UTC. */
export const toMoment = (timestamp: string): string =>
  (timestamp.startsWith(today().slice(0, 4)) ? moment : minute).format(new Date(timestamp))
/** `26–31 %`: the interval of a share. */
export const toInterval = (low: number, high: number): string =>
  (Math.abs(high) < 0.1 ? finePercent : percent).formatRange(low, high)
/** `a, b and c` */
export const toList = (parts: readonly string[]): string => list.format(parts)

const FINE_CENTS_BELOW = 0.1
const pickCents = (usd: number): Intl.NumberFormat => (usd > 0 && usd < FINE_CENTS_BELOW ? fineCents : cents)
/** `$12.40`, and `$0.0126` where cents would hide it. */
export const toMoney = (usd: number): string => pickCents(usd).format(usd)
/** `$0.0126 – $0.0243` */
export const toMoneyRange = (low: number, high: number): string =>
  low === high ? toMoney(low) : pickCents(low).formatRange(low, high)

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
/** `512 kB`, `1.4 GB` */
export function toBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const unit = BYTE_UNITS[step] ?? 'byte'
  const value = bytes / 1_000 ** step
  const maximumFractionDigits = value < 10 && step > 0 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  )
}

/** The order of texts for the reader: `prompt 2` stands before `prompt 10`. */
export const compareTexts = (a: string, b: string): number => collator.compare(a, b)
