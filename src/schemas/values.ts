import * as v from 'valibot'
import { CATEGORIES, ENGINE_IDS } from '../domain/enums.ts'

/** Values that reports and resources share. */

/** Any text. */
export const Text = v.string()
/** A moment, ISO 8601 with its zone. */
export const Timestamp = v.pipe(v.string(), v.isoTimestamp())
/** A day, `YYYY-MM-DD`. */
export const CalendarDay = v.pipe(v.string(), v.isoDate())
/** A week of ISO 8601, which begins on a Monday and belongs to the year of its Thursday. */
export const Week = v.pipe(v.string(), v.regex(/^\d{4}-W\d{2}$/), v.description('ISO 8601, `2026-W47`.'))
/** A month of the calendar. */
export const Month = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/), v.description('`2026-11`.'))
/** A part of a whole, 0 to 1. */
export const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
/** How many: 0 or more. */
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A place in an order, from 1. */
export const Order = v.pipe(v.number(), v.integer(), v.minValue(1))
/** An answer engine. */
export const EngineId = v.picklist(ENGINE_IDS)
/** What kind of question a prompt asks. */
export const Category = v.picklist(CATEGORIES)
/** A prompt as rows name it; the document shows it once. */
export const PromptReference = v.object({ id: Text, text: Text })
