import { DONE_CARDS, DONE_DAY } from '../truths.ts'
import { dateOf } from './calendar.ts'

/** The contents of `cards.json`: when the first cards were found, and which of them were marked done the next morning. */
export const CARDS_FILE = {
  found_at: `${dateOf(DONE_DAY - 1)}T20:00:00Z`,
  done_at: `${dateOf(DONE_DAY)}T06:00:00Z`,
  done: DONE_CARDS.map(({ rule, target }) => `${rule}:${target}`),
}
