interface HourRow {
  /** `YYYY-MM-DDTHH:00` */
  readonly hour?: string
  readonly visits?: number
}

/** Visits by the hour of the day (UTC), 24 numbers: hours of the same name on different days together. */
export function toHoursOfDay(rows: readonly HourRow[]): readonly number[] {
  const hours = Array.from({ length: 24 }, () => 0)
  for (const { hour = '', visits = 0 } of rows) {
    const at = Number(hour.slice(11, 13))
    hours[at] = (hours[at] ?? 0) + visits
  }
  return hours
}

/** `14:00–15:00` */
export const toHourSpan = (hour: number): string => `${toClock(hour)}–${toClock((hour + 1) % 24)}`
export const toClock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
