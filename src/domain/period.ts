import { dayStartMs, shiftDay, toDay } from './day.ts'

/** How long data is kept: `keep` for good, or days, months or years: `90d`, `24mo`, `3y`. */
export function isPeriod(text: string): boolean {
  return text === 'keep' || PERIOD.test(text)
}

const PERIOD = /^([1-9]\d{0,3})(d|mo|y)$/

/**
 * The first UTC day that is kept on the day of `nowMs`; undefined where all are. A month back is the same day of the month
 * before, or its last one.
 */
export function firstKeptDay(period: string, nowMs: number): string | undefined {
  const [, count, unit] = PERIOD.exec(period) ?? []
  if (count === undefined) return undefined
  const today = toDay(nowMs)
  if (unit === 'd') return shiftDay(today, -Number(count))
  const months = unit === 'y' ? 12 * Number(count) : Number(count)
  const first = new Date(dayStartMs(`${today.slice(0, 7)}-01`))
  first.setUTCMonth(first.getUTCMonth() - months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(Number(today.slice(8)), last))
  // Years before the first have nothing to forget.
  return first.getUTCFullYear() < 1 ? '0001-01-01' : toDay(first.getTime())
}
