import * as v from 'valibot'
import { CATEGORIES, ENGINE_IDS } from '../domain/enums.ts'

/** Values that reports and resources share. */

export const Text = v.string()
export const Timestamp = v.pipe(v.string(), v.isoTimestamp())
export const CalendarDay = v.pipe(v.string(), v.isoDate())
export const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A place in an order, from 1. */
export const Order = v.pipe(v.number(), v.integer(), v.minValue(1))
export const EngineId = v.picklist(ENGINE_IDS)
export const Category = v.picklist(CATEGORIES)
/** A prompt as rows name it; the document shows it once. */
export const PromptReference = v.object({ id: Text, text: Text })
