import type { Interval } from '../statistics/interval.ts'
import type { DayRange } from './windows.ts'

/** Longest prompt or address that a card's sentence repeats, in characters. */
const SHOWN_CHARACTERS_MAX = 90

/** `1,200` */
export function toCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** `12 of 180 answers`, `1 of 1 prompt` */
export function ofTotal(hits: number, total: number, noun: string): string {
  return `${toCount(hits)} of ${toCount(total)} ${total === 1 ? noun : `${noun}s`}`
}

/** `41 of 176 answers (18–29 %)`; counts without an interval stand alone. */
export function withInterval(counts: string, interval: Interval | null): string {
  if (interval === null) return counts
  return `${counts} (${Math.round(100 * interval.low)}–${Math.round(100 * interval.high)} %)`
}

/** `+4 points`, `−1 point`: a difference of two shares. */
export function inPoints(change: number): string {
  const points = Math.round(100 * change)
  const sign = points > 0 ? '+' : points < 0 ? '−' : ''
  return `${sign}${Math.abs(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`
}

/** `the 28 days to 2026-11-15` */
export function daysTo({ last }: DayRange): string {
  return `the 28 days to ${last}`
}

/** `a`, `a and b`, `a, b and c` */
export function listing(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** A prompt's text in quotation marks, on one line, cut where it is long. */
export function quote(text: string): string {
  return `"${cut(text.replace(/\s+/g, ' '))}"`
}

/** A page's address as people write it: without scheme and `www.`, cut where it is long. */
export function toPageName(url: string): string {
  return cut(url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''))
}

function cut(text: string): string {
  if (text.length <= SHOWN_CHARACTERS_MAX) return text
  const end = SHOWN_CHARACTERS_MAX - 1
  // A character outside the basic plane is two units, which stay together.
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end)}…`
}
