import { monthOf, shiftDay, toDay } from '../domain/day.ts'
import type { Site } from '../domain/site.ts'

/**
 * Notices kept records of days that are still to come. They are imported like others, since nothing forbids them, but a
 * day that was mistyped stays the newest scan of its site until it is past (contract/api 8.2).
 */
export class FutureDays {
  /** Tomorrow in UTC: east of it that day has begun. */
  readonly #lastDay: string
  #records = 0
  #newest = ''

  constructor(nowMs: number) {
    this.#lastDay = shiftDay(toDay(nowMs), 1)
  }

  keep(day: string): void {
    if (day <= this.#lastDay) return
    this.#records += 1
    if (day > this.#newest) this.#newest = day
  }

  toWarnings({ id }: Site): string[] {
    if (this.#records === 0) return []
    const records = this.#records === 1 ? '1 record is' : `${this.#records} records are`
    const month = monthOf(this.#newest)
    return [
      `${records} dated in the future, up to ${this.#newest}; until then that day is the site's newest scan. If it is a mistake, give up what was imported of that month with \`answerlake lake repair --drop\` (the files in lake/answers/${id}/${month} and lake/no_answers/${id}/${month}), and import it again with the right dates.`,
    ]
  }
}
