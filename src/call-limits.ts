/** Bounds of paid calls, with their units and reasons. */

/** A provider's reply, in bytes, unpacked; a longer one is cut off and its call uncertain. */
export const REPLY_BYTES_MAX = 16 * 1_024 * 1_024
/** From the first byte of a paid call to the last one of its reply. */
export const CALL_DEADLINE_MS = 180_000
/** How often a call is tried of which it is proven that nothing was bought. */
export const CALL_TRIES_MAX = 4
/** Further parts of one reply (pages, turns that go on). */
export const CALL_FOLLOWS_MAX = 10
/** How long a run waits for a task before it leaves it to the next one, and when a task is given up. */
export const TASK_WAIT_MS_MAX = 15 * 60_000
export const TASK_AGE_MS_MAX = 24 * 60 * 60_000
/** Answers and time after which a run imports what came. */
export const INTAKE_ANSWERS = 500
export const INTAKE_MS = 60_000
