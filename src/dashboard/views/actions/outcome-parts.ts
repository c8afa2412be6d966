import type { Schemas } from '../../../client/client.ts'
import { CARD_WINDOW_DAYS } from '../../bounds.ts'
import { addDays, type DayRange } from '../../days.ts'

/** A side of an outcome: `161 of 682 answers`, `18–30 %`. */
interface Side {
  readonly counts: string
  readonly interval: string | undefined
  readonly range: DayRange
}

/** What a summary says, taken apart. */
export interface OutcomeParts {
  /** `named in`, `cited in`, `named for` */
  readonly verb: string
  readonly before: Side
  /** Undefined while it is measured. */
  readonly after: Side | undefined
  /** `24 untouched prompts changed by −1 point`; undefined where there is nothing to hold it against. */
  readonly control: string | undefined
  /** Where the days before are those in which the card was found. */
  readonly mayFlatter: boolean
}

const COUNTS = String.raw`([\d,]+ of [\d,]+)(?: [a-z]+)?(?: \(([\d–.,]+ %)\))?`
const RESULT = new RegExp(`: (named in|cited in|named for) ${COUNTS} after, ${COUNTS} before`)
const MEASURING = new RegExp(`: (named in|cited in|named for) ${COUNTS} before`)
const CONTROL = /; ([\d,]+ untouched prompts? changed by [+−\d.,]+ points?(?: \(median\))?)/
const DAYS_BEFORE = /Before are the (\d+) days to (\d{4}-\d{2}-\d{2})/

/** Takes apart what the service wrote; undefined for a sentence of another form, which is then shown as it is. */
export function parseOutcome(outcome: NonNullable<Schemas['ActionCard']['outcome']>): OutcomeParts | undefined {
  const { summary, marked_done_at } = outcome
  const done = marked_done_at.slice(0, 10)
  const [, days, to] = DAYS_BEFORE.exec(summary) ?? []
  const before: DayRange =
    to === undefined
      ? { start_date: addDays(done, -CARD_WINDOW_DAYS), end_date: addDays(done, -1) }
      : { start_date: addDays(to, 1 - Number(days)), end_date: to }
  const after: DayRange = { start_date: done, end_date: addDays(done, CARD_WINDOW_DAYS - 1) }
  const control = CONTROL.exec(summary)?.[1]
  const mayFlatter = summary.includes('that may flatter it')
  const result = RESULT.exec(summary)
  if (result !== null) {
    const [, verb = '', nowCounts = '', nowInterval, thenCounts = '', thenInterval] = result
    return {
      verb,
      before: { counts: thenCounts, interval: thenInterval, range: before },
      after: { counts: nowCounts, interval: nowInterval, range: after },
      control,
      mayFlatter,
    }
  }
  const measuring = MEASURING.exec(summary)
  if (measuring === null) return undefined
  const [, verb = '', counts = '', interval] = measuring
  return { verb, before: { counts, interval, range: before }, after: undefined, control, mayFlatter }
}
