import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { ApiError } from '../errors.ts'
import { invalidCursor, openCursor, sealCursor } from './sealed-cursor.ts'

/** Raised when the payload's meaning changes; older cursors are then refused as expired. */
const VERSION = 1

/** Where a walk through a report stands (contract/api 6). */
export interface Position {
  /** Snapshot of the lake that the walk reads. */
  readonly snapshot: number
  /** The site's revision of decided things when the walk began. */
  readonly rev: number
  /** Rows already given. */
  readonly offset: number
}

const Payload = v.tuple([v.literal(VERSION), v.string(), v.number(), v.number(), v.number()])

/** A request's walk through a report, and where it stands: at its beginning, or where its cursor says. */
export interface Walk {
  readonly digest: string
  readonly position: Position | undefined
}

/**
 * The walk of a request to the report of this name. Throws ApiError `invalid_cursor` when its cursor is malformed, tampered
 * with, or of another request; `cursor_expired` for one of an older form.
 */
export function openWalk(secret: Uint8Array, report: string, request: { readonly cursor?: string | undefined }): Walk {
  const digest = digestRequest(report, request)
  return { digest, position: request.cursor === undefined ? undefined : parseCursor(secret, digest, request.cursor) }
}

/** Names a request without `limit` and `cursor`, defaults written out, so that both ways of asking are the same walk. */
export function digestRequest(endpoint: string, request: object): string {
  const { limit: _limit, cursor: _cursor, ...rest } = request as Record<string, unknown>
  return createHash('sha256').update(endpoint).update('\n').update(canonical(rest)).digest('base64url').slice(0, 22)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
    .join(',')}}`
}

/** The cursor of the page that begins at `position`, signed with the data directory's secret. */
export function toCursor(secret: Uint8Array, digest: string, { snapshot, rev, offset }: Position): string {
  return sealCursor(secret, 'reports', [VERSION, digest, snapshot, rev, offset])
}

function parseCursor(secret: Uint8Array, digest: string, cursor: string): Position {
  const parsed = v.safeParse(Payload, openCursor(secret, 'reports', cursor))
  if (!parsed.success) throw expired()
  const [, ofDigest, snapshot, rev, offset] = parsed.output
  if (ofDigest !== digest) throw invalidCursor()
  return { snapshot, rev, offset }
}

/** The state that a cursor stands in is gone. */
export const expired = (): ApiError =>
  new ApiError('cursor_expired', 'The data this cursor stands in is no longer kept. Start again without a cursor.')
