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

/**
 * What a done card is measured over: the 28 UTC days before the day on which it was marked done, and the 28 days that
 * follow, beginning with that day. The later one has closed when the result is due.
 */
export function outcomeWindows(markedDoneAt: string): { before: DayRange; after: DayRange } {
  const day = markedDoneAt.slice(0, 10)
  return {
    before: windowEndingOn(shiftDay(day, -1)),
    after: windowEndingOn(shiftDay(day, CARD_WINDOW_DAYS - 1)),
  }
}

/** When the result of a card is due, in milliseconds: 28 days after it was marked done. */
export function dueMs(markedDoneMs: number): number {
  return markedDoneMs + CARD_WINDOW_DAYS * DAY_MS
}

export function overlaps(a: DayRange, b: DayRange): boolean {
  return a.first <= b.last && b.first <= a.last
}
