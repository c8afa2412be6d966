import * as v from 'valibot'
import type { PromptPosition } from '../catalog/prompts.ts'
import { digestRequest } from '../reports/cursor.ts'
import { invalidCursor, openCursor, sealCursor } from '../reports/sealed-cursor.ts'

/**
 * Cursors of the prompts list (contract/api 6). They need no snapshot: prompts are never deleted and their order by
 * (created_at, id) never changes.
 */

const Payload = v.strictTuple([v.string(), v.string(), v.string()])

/** The cursor that goes on behind `position`; `request` is what the walk asks for, without `limit` and `cursor`. */
export function toPromptCursor(secret: Uint8Array, request: object, { createdAt, id }: PromptPosition): string {
  return sealCursor(secret, 'prompts', [digestRequest('prompts', request), createdAt, id])
}

/** Throws ApiError `invalid_cursor` when the text is malformed, tampered with, or of another request. */
export function parsePromptCursor(secret: Uint8Array, request: object, cursor: string): PromptPosition {
  const [digest, createdAt, id] = v.parse(Payload, openCursor(secret, 'prompts', cursor))
  if (digest !== digestRequest('prompts', request)) throw invalidCursor()
  return { createdAt, id }
}
