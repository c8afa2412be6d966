import { randomBytes, randomUUID } from 'node:crypto'

export type IdPrefix =
  | 'org'
  | 'site'
  | 'prm'
  | 'cmp'
  | 'key'
  | 'act'
  | 'ans'
  | 'req'
  | 'imp'
  | 'chg'
  | 'run'
  | 'usr'
  | 'ses'
  | 'aud'
  | 'srv'

/** Crockford's base 32 without letters that read alike; its order is the order of its ASCII codes, so ids sort by time. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** The only source of randomness below `cli`. */
export interface Random {
  bytes(count: number): Uint8Array
}

/** Bytes from the system, fit for keys. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) }

/** `prm_` + 10 characters of time + 16 of chance, sortable by the time of making (contract/imports 1.5). */
export function newId(prefix: IdPrefix, nowMs: number, random: Random = systemRandom): string {
  let time = ''
  for (let rest = nowMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time
  return `${prefix}_${time}${toBase32(random.bytes(10))}`
}

/** A name for a file of the lake, 128 random bits, never used twice. */
export function newFileId(random: Random = systemRandom): string {
  return toBase32(random.bytes(16))
}

/** Lower-case base 32 of bytes, five bits a character. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((buffer >> (bits - 5)) & 31)
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET.charAt((buffer << (5 - bits)) & 31) : text
}

/** Ids an operator may give: 1 to 64 of `A-Z a-z 0-9 . _ -` (contract/imports 1.5). */
export const GIVEN_ID = /^[A-Za-z0-9._-]{1,64}$/

/** A UUID of chance, for formats that ask for one. */
export const newUuid = (): string => randomUUID()
