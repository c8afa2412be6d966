/** What texts of log lines mean, remembered in memory by kinds of texts, so that the caller is asked once for those that repeat. */

/** What a text means: see `Meanings` in ../usual-lines.ts. */
declare function learn(kind: u32, start: usize, length: u32): u32

// Kinds of texts.
export const AGENT: u32 = 0
export const ORIGIN: u32 = 1
export const ADDRESS: u32 = 2
export const PATH: u32 = 3

/** Longer texts are not remembered, in bytes. */
const KEY_BYTES_MAX: u32 = 2_048
/** After so many other texts in its place a text isn't looked for: nobody can choose texts that make looking slow. */
const STEPS_MAX: u32 = 32

// A table for each kind: a count of entries and of bytes of keys, places (two for each entry) and keys. A place has the
// hash of the text, where its key is (0 where the place is free), its length and its meaning.
const ENTRIES_MAX: u32 = 8_192
const PATH_ENTRIES_MAX: u32 = 32_768
const HEAD_BYTES: usize = 16
const PLACE_BYTES: u32 = 16
/** On average. */
const KEY_BYTES: u32 = 128
const TABLE_BYTES: usize = HEAD_BYTES + ENTRIES_MAX * (2 * PLACE_BYTES + KEY_BYTES)
const PATH_TABLE_BYTES: usize = HEAD_BYTES + PATH_ENTRIES_MAX * (2 * PLACE_BYTES + KEY_BYTES)

const MASKS: usize = 1_024
const TABLES: usize = 65_536
/** Memory is free from here on. */
export const TABLES_END: usize = TABLES + 3 * TABLE_BYTES + PATH_TABLE_BYTES

memory.fill(MASKS, 0xff, 16)

/** What a text means, from memory where it has been met. */
export function find(kind: u32, start: usize, length: u32): u32 {
  if (length > KEY_BYTES_MAX) return learn(kind, start, length)
  const places = toTable(kind) + HEAD_BYTES
  const mask = 2 * toCapacity(kind) - 1
  const hash = hashOf(start, length)
  for (let step: u32 = 0; step < STEPS_MAX; step++) {
    const place = places + ((hash + step) & mask) * PLACE_BYTES
    const key = load<u32>(place, 4)
    if (key == 0) return add(kind, place, hash, start, length)
    if (load<u32>(place) == hash && load<u32>(place, 8) == length && isSame(key, start, length)) {
      return load<u32>(place, 12)
    }
  }
  return learn(kind, start, length)
}

/** Forgets what texts of the kind mean. */
export function forget(kind: u32): void {
  memory.fill(toTable(kind), 0, HEAD_BYTES + 2 * toCapacity(kind) * PLACE_BYTES)
}

function toTable(kind: u32): usize {
  return TABLES + <usize>kind * TABLE_BYTES
}

function toCapacity(kind: u32): u32 {
  return kind == PATH ? PATH_ENTRIES_MAX : ENTRIES_MAX
}

function add(kind: u32, place: usize, hash: u32, start: usize, length: u32): u32 {
  const meaning = learn(kind, start, length)
  const table = toTable(kind)
  const capacity = toCapacity(kind)
  const count = load<u32>(table)
  const keyBytes = load<u32>(table, 4)
  if (count == capacity || keyBytes + length > capacity * KEY_BYTES) {
    forget(kind)
    return meaning
  }
  const key = table + HEAD_BYTES + 2 * capacity * PLACE_BYTES + keyBytes
  memory.copy(key, start, length)
  store<u32>(place, hash)
  store<u32>(place, <u32>key, 4)
  store<u32>(place, length, 8)
  store<u32>(place, meaning, 12)
  store<u32>(table, count + 1)
  store<u32>(table, keyBytes + length, 4)
  return meaning
}

function isSame(key: usize, start: usize, length: u32): bool {
  const whole = length & ~15
  for (let at: u32 = 0; at < whole; at += 16) {
    if (v128.any_true(v128.xor(v128.load(key + at), v128.load(start + at)))) return false
  }
  const differs = v128.xor(v128.load(key + whole), v128.load(start + whole))
  return !v128.any_true(v128.and(differs, toMask(length - whole)))
}

/** The first `count` bytes set, of sixteen. */
function toMask(count: u32): v128 {
  return v128.load(MASKS + 16 - count)
}

/** Of all bytes: user agents differ in a digit or two. */
function hashOf(start: usize, length: u32): u32 {
  let even: u64 = length
  let odd: u64 = 0
  const whole = start + (length & ~15)
  for (let at = start; at < whole; at += 16) {
    even = (even ^ load<u64>(at)) * PRIME
    odd = (odd ^ load<u64>(at, 8)) * PRIME
  }
  const rest = v128.and(v128.load(whole), toMask(length & 15))
  even = (even ^ v128.extract_lane<u64>(rest, 0)) * PRIME
  odd = (odd ^ v128.extract_lane<u64>(rest, 1)) * PRIME
  const sum = (even ^ (even >> 32) ^ rotl(odd, 32) ^ (odd >> 29)) * PRIME
  return <u32>(sum >> 32)
}

const PRIME: u64 = 0x9e37_79b9_7f4a_7c15
