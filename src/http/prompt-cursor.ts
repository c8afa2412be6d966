import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { PromptPosition } from '../catalog/prompts.ts'
import { ApiError } from '../errors.ts'
import { CURSOR_CHARACTERS_MAX } from '../limits.ts'
import { digestRequest } from '../reports/cursor.ts'

/**
 * Cursors of the prompts list (decisions.md 6). They need no snapshot: prompts are never deleted and their order by
 * (created_at, id) never changes.
 */

const TAG_BYTES = 16
const Payload = v.strictTuple([v.string(), v.string(), v.string()])

/** The cursor that goes on behind `position`; `request` is what the walk asks for, without `limit` and `cursor`. */
export function toPromptCursor(secret: Uint8Array, request: object, { createdAt, id }: PromptPosition): string {
  const payload = Buffer.from(JSON.stringify([digestRequest('prompts', request), createdAt, id]))
  return Buffer.concat([sign(secret, payload), payload]).toString('base64url')
}

/** Throws ApiError `invalid_cursor` when the text is malformed, tampered with, or of another request. */
export function parsePromptCursor(secret: Uint8Array, request: object, cursor: string): PromptPosition {
  const bytes = Buffer.from(cursor, 'base64url')
  const isCanonical = cursor.length <= CURSOR_CHARACTERS_MAX && bytes.toString('base64url') === cursor
  const payload = bytes.subarray(TAG_BYTES)
  if (!isCanonical || payload.length === 0 || !timingSafeEqual(sign(secret, payload), bytes.subarray(0, TAG_BYTES))) {
    throw invalid()
  }
  const [digest, createdAt, id] = v.parse(Payload, JSON.parse(payload.toString()))
  if (digest !== digestRequest('prompts', request)) throw invalid()
  return { createdAt, id }
}

function sign(secret: Uint8Array, payload: Uint8Array): Buffer {
  return createHmac('sha256', secret).update('prompts\n').update(payload).digest().subarray(0, TAG_BYTES)
}

const invalid = (): ApiError =>
  new ApiError('invalid_cursor', 'This cursor is not one of this request. Start again without a cursor.')
