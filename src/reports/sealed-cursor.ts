import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../errors.ts'
import { CURSOR_CHARACTERS_MAX } from '../limits.ts'

const TAG_BYTES = 16

/** Kinds of cursors; one is no cursor of the other kind. */
type CursorKind = 'reports' | 'prompts'

/** A cursor that holds a JSON value, signed with the data directory's secret (contract/api 6). */
export function sealCursor(secret: Uint8Array, kind: CursorKind, value: unknown): string {
  const payload = Buffer.from(JSON.stringify(value))
  return Buffer.concat([sign(secret, kind, payload), payload]).toString('base64url')
}

/** The value in a cursor. Throws ApiError `invalid_cursor` when the text is malformed, tampered with, or of another kind. */
export function openCursor(secret: Uint8Array, kind: CursorKind, cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url')
  const isCanonical = cursor.length <= CURSOR_CHARACTERS_MAX && bytes.toString('base64url') === cursor
  if (!isCanonical || bytes.length <= TAG_BYTES) throw invalidCursor()
  const payload = bytes.subarray(TAG_BYTES)
  if (!timingSafeEqual(sign(secret, kind, payload), bytes.subarray(0, TAG_BYTES))) throw invalidCursor()
  return JSON.parse(payload.toString())
}

function sign(secret: Uint8Array, kind: CursorKind, payload: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${kind}\n`).update(payload).digest().subarray(0, TAG_BYTES)
}

/** The cursor is of another request, or none at all. */
export const invalidCursor = (): ApiError =>
  new ApiError('invalid_cursor', 'This cursor is not one of this request. Start again without a cursor.')
