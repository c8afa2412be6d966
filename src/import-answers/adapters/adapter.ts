import type { AnswerRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import type { JsonObject } from './json.ts'

/** How one vendor's payloads become answers of the native format (contract/imports 2.2). */
export interface Adapter {
  readonly format: string
  /** The engine that a payload shows by its model or its shape; an envelope or a flag may repeat it, not change it. */
  platform?(payload: JsonObject): EngineId | undefined
  /** The format's own engine, for a payload that shows none and gets none from envelope or flag. */
  fallbackPlatform?(payload: JsonObject): EngineId | undefined
  /** What `recognises` looks for, in words for a rejection. */
  readonly looksFor: string
  /** By shape alone; also true for payloads whose answer can't be used, so that `toRecords` can say why. */
  recognises(payload: JsonObject): boolean
  /**
   * The payload's answers, or why one can't be used. A record lacks what the payload doesn't hold (day, prompt,
   * engine); its citations are the cited sources, in order, with repeats, and `consulted` those only read.
   */
  toRecords(payload: JsonObject): readonly (AnswerRecord | Rejection)[]
}

export function defineAdapter<const F extends string>(
  adapter: Adapter & { readonly format: F },
): Adapter & { readonly format: F } {
  return adapter
}
