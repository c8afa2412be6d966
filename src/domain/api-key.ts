import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { systemRandom, type Random } from '../ids.ts'
import type { KeyPermission } from './enums.ts'
import type { Organization } from './organization.ts'

/** A key as the catalog keeps it (contract/api 3.5); the value itself is shown once and never kept. */
export interface ApiKey {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly permission: KeyPermission
  /** Who made it: the operating system's user name, or `cli`. */
  readonly creator: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

/** Who calls: a valid key with its organization as it is at this moment. */
export interface KeyHolder {
  readonly key: ApiKey
  readonly organization: Organization
}

export const KEY_EXPIRY_DAYS = [30, 90, 180, 365] as const
export type KeyExpiryDays = (typeof KEY_EXPIRY_DAYS)[number]

export type KeyStatus = 'active' | 'expired' | 'revoked'

export const KEY_PREFIX = 'alk_'
const SECRET_CHARACTERS = 34
const CHECKSUM_CHARACTERS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Of an operator's key, by which the lake of all organizations is read. */
const OPERATOR_KEY_PREFIX = 'alo_'
const SHAPE = /^al[ko]_[0-9A-Za-z]{40}$/
/** The name of one of several installations that share an address: as long for all, so that none begins another. */
export const CELL = /^[0-9A-Za-z]{3}$/

/**
 * A new key value: `alk_`, 34 random base62 characters (202 bits), 6 of checksum (contract/api 3.1). A cell takes the place of
 * the first three (184 bits are left), so that a proxy can tell from a key where its organization is.
 */
export function newApiKey(random: Random = systemRandom, cell = ''): string {
  return newKeyValue(KEY_PREFIX, random, cell)
}

/** A new value of an operator's key: `alo_`, then as an API key's. */
export function newOperatorKey(random: Random = systemRandom): string {
  return newKeyValue(OPERATOR_KEY_PREFIX, random)
}

function newKeyValue(prefix: string, random: Random, beginning = ''): string {
  let body = prefix + beginning
  while (body.length < KEY_PREFIX.length + SECRET_CHARACTERS) {
    // 248 is the largest multiple of 62 in a byte; taking the bytes above it would favour the first characters.
    for (const byte of random.bytes(SECRET_CHARACTERS)) {
      if (byte < 248 && body.length < KEY_PREFIX.length + SECRET_CHARACTERS) body += BASE62.charAt(byte % 62)
    }
  }
  return body + toChecksum(body)
}

/** The text as a key value when shape and checksum hold, without a look-up; undefined otherwise. */
export function parseApiKey(text: string): string | undefined {
  return parseKeyValue(KEY_PREFIX, text)
}

/** The same of an operator's key. */
export function parseOperatorKey(text: string): string | undefined {
  return parseKeyValue(OPERATOR_KEY_PREFIX, text)
}

function parseKeyValue(prefix: string, text: string): string | undefined {
  if (!text.startsWith(prefix) || !SHAPE.test(text)) return undefined
  const body = text.slice(0, -CHECKSUM_CHARACTERS)
  return text.slice(-CHECKSUM_CHARACTERS) === toChecksum(body) ? text : undefined
}

/** What is kept of a key: SHA-256 of its value, 32 bytes. */
export function toKeyHash(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

/** The state of a key at a moment; it expires at `expiresAt` to the millisecond. */
export function keyStatus(key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>, nowMs: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked'
  return nowMs < Date.parse(key.expiresAt) ? 'active' : 'expired'
}

/** CRC32 of the text as base62, left-padded with `0`. */
function toChecksum(body: string): string {
  let text = ''
  for (let rest = crc32(body), i = 0; i < CHECKSUM_CHARACTERS; i++, rest = Math.floor(rest / 62)) {
    text = BASE62.charAt(rest % 62) + text
  }
  return text
}
