/**
 * Bounds of the service that the dashboard keeps to, or says: the browser is sent nothing of the server, so they stand here
 * a second time. A test holds each to the service's own, of the same name where it is the same number.
 */

export const PASSWORD_CHARACTERS_MIN = 12
/** When a session ends: without use, and in any case. */
export const SESSION_IDLE_HOURS = 12
export const SESSION_DAYS_MAX = 7

export const PROMPT_CHARACTERS_MAX = 4_000
export const MARKET_CHARACTERS_MAX = 200
/** Prompts that one request creates or changes, and switches on or off. */
export const PROMPT_CHANGES_MAX = 100
export const STATUS_CHANGE_IDS_MAX = 500

/** Days of one report, both ends included. */
export const REPORT_DAYS_MAX = { answers: 93, logs: 401 } as const
/** Brands that a report can be asked for by name. */
export const BRANDS_LIST_MAX = 100
/** Prompts that the list of answers can be asked for. */
export const ANSWER_PROMPT_IDS_MAX = 100
/** Values of one condition of a filter. */
export const FILTER_VALUES_MAX = 500

/** Imports, undos and deletions that the list of a site holds. */
export const IMPORTS_LISTED_MAX = 200

/** Days in which a card is measured before it is done, and after. */
export const CARD_WINDOW_DAYS = 28
/** Answers before which no rule says anything. */
export const CARD_ANSWERS_MIN = 30

export const KEY_EXPIRY_DAYS = [30, 90, 180, 365] as const
