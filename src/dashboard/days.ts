const DAY_MS = 86_400_000

/** UTC days, both included. */
export interface DayRange {
  readonly start_date: string
  readonly end_date: string
}

/** The day so many days later, or earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

export function countDays({ start_date, end_date }: DayRange): number {
  return (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1
}

/** Every day of a range, in order. */
export function listDays(range: DayRange): string[] {
  return Array.from({ length: countDays(range) }, (_, index) => addDays(range.start_date, index))
}

/** As many days before a range, moved back to whole weeks where that fits, so that weekdays meet weekdays. */
export function previousRange(range: DayRange): DayRange {
  const days = countDays(range)
  const back = Math.ceil(days / 7) * 7
  return { start_date: addDays(range.start_date, -back), end_date: addDays(range.end_date, -back) }
}
