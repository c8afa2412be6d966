import { CARD_WINDOW_DAYS } from '../limits.ts'
import { DAY_MS, shiftDay } from '../domain/day.ts'

/** UTC days, `YYYY-MM-DD`, both included. */
export interface DayRange {
  readonly first: string
  readonly last: string
}

/** The 28 days that end on the day. */
export function windowEndingOn(day: string): DayRange {
  return { first: shiftDay(day, 1 - CARD_WINDOW_DAYS), last: day }
}

/** The 28 days that end before the range begins. */
export function windowBefore({ first }: DayRange): DayRange {
  return windowEndingOn(shiftDay(first, -1))
}

/** What a done card is measured over: the 28 UTC days that begin with the one on which it was marked done. */
export function windowAfter(markedDoneAt: string): DayRange {
  return windowEndingOn(shiftDay(markedDoneAt.slice(0, 10), CARD_WINDOW_DAYS - 1))
}

/** Days that a result can be held against. */
export interface WindowBefore extends DayRange {
  /** Whether the card was found in some of them: what is picked for being low rises by itself. */
  readonly mayFlatter: boolean
}

/**
 * What a done card may be held against, the best first: the 28 days before those in which it was found, and the 28 days
 * before the one on which it was marked done.
 */
export function windowsBefore(found: DayRange, markedDoneAt: string): readonly [WindowBefore, WindowBefore] {
  const last = windowEndingOn(shiftDay(markedDoneAt.slice(0, 10), -1))
  return [
    { ...windowBefore(found), mayFlatter: false },
    { ...last, mayFlatter: overlaps(found, last) },
  ]
}

/** When the result of a card is due, in milliseconds: 28 days after it was marked done. */
export function dueMs(markedDoneMs: number): number {
  return markedDoneMs + CARD_WINDOW_DAYS * DAY_MS
}

export function overlaps(a: DayRange, b: DayRange): boolean {
  return a.first <= b.last && b.first <= a.last
}
