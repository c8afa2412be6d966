import { expect, it } from 'vitest'
import * as bounds from '../../src/dashboard/bounds.ts'
import { KEY_EXPIRY_DAYS } from '../../src/domain/api-key.ts'
import * as limits from '../../src/limits.ts'
import { PASSWORD_CHARACTERS_MIN, SESSION_IDLE_MS, SESSION_MS_MAX } from '../../src/people-limits.ts'

const HOUR_MS = 3_600_000

it('knows the bounds of the service as the service has them', () => {
  const { answers, logs } = limits.RANGE_DAYS_MAX
  expect({ ...bounds }).toEqual({
    PASSWORD_CHARACTERS_MIN,
    SESSION_IDLE_HOURS: SESSION_IDLE_MS / HOUR_MS,
    SESSION_DAYS_MAX: SESSION_MS_MAX / HOUR_MS / 24,
    PROMPT_CHARACTERS_MAX: limits.PROMPT_CHARACTERS_MAX,
    MARKET_CHARACTERS_MAX: limits.NAME_CHARACTERS_MAX,
    PROMPT_CHANGES_MAX: limits.PROMPT_CHANGES_MAX,
    STATUS_CHANGE_IDS_MAX: limits.STATUS_CHANGE_IDS_MAX,
    // The service says how many days the last may be after the first.
    REPORT_DAYS_MAX: { answers: answers + 1, logs: logs + 1 },
    BRANDS_LIST_MAX: limits.BRANDS_LIST_MAX,
    ANSWER_PROMPT_IDS_MAX: limits.ANSWER_PROMPT_IDS_MAX,
    FILTER_VALUES_MAX: limits.FILTER_VALUES_MAX,
    IMPORTS_LISTED_MAX: limits.IMPORTS_LISTED_MAX,
    CARD_WINDOW_DAYS: limits.CARD_WINDOW_DAYS,
    CARD_ANSWERS_MIN: limits.CARD_ANSWERS_MIN,
    KEY_EXPIRY_DAYS,
  })
})
