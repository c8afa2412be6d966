import { MEMO_KEY_CHARACTERS_MAX } from '../../limits.ts'

/**
 * Remembers what `compute` gave for a piece of ASCII bytes, for fields that repeat a few values millions of times: where
 * a piece is known, no string is made of it. Forgets all when it is full. `compute` should be quick for texts that it
 * has seen before.
 */
export class ByteMemo<V> {
  readonly #compute: (text: string) => V
  readonly #entriesMax: number
  readonly #values: V[] = []
  /** Of each value: where its key starts among the keys, and its length. */
  readonly #starts: Int32Array
  readonly #lengths: Int32Array
  /** Entry of each place, from 1; 0 is free. Half of the places stay free. */
  readonly #places: Int32Array
  readonly #mask: number
  readonly #keys: DataView
  #keyBytes = 0
  #bytes: Uint8Array = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)

  /** Holds up to `entriesMax` values, a power of two, with keys of KEY_BYTES on average. */
  constructor(compute: (text: string) => V, entriesMax: number) {
    this.#compute = compute
    this.#entriesMax = entriesMax
    this.#starts = new Int32Array(entriesMax)
    this.#lengths = new Int32Array(entriesMax)
    this.#places = new Int32Array(2 * entriesMax)
    this.#mask = 2 * entriesMax - 1
    this.#keys = new DataView(new ArrayBuffer(entriesMax * KEY_BYTES))
  }

  clear(): void {
    this.#places.fill(0)
    this.#values.length = 0
    this.#keyBytes = 0
  }

  /** `text` holds the bytes, one a character. */
  find(bytes: Uint8Array, text: string, start: number, end: number): V {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    const length = end - start
    if (length > MEMO_KEY_CHARACTERS_MAX) return this.#compute(text.substring(start, end))
    let place = hashOf(this.#view, start, length) & this.#mask
    for (;;) {
      const entry = (this.#places[place] ?? 0) - 1
      if (entry === -1) return this.#add(place, text.substring(start, end), start)
      if (this.#lengths[entry] === length && this.#isKey(entry, start, length)) return this.#values[entry] as V
      place = (place + 1) & this.#mask
    }
  }

  /** Eight bytes at a time, as numbers: of ASCII bytes none is NaN or a zero with a sign. */
  #isKey(entry: number, start: number, length: number): boolean {
    const view = this.#view
    const keys = this.#keys
    const key = this.#starts[entry] ?? 0
    const whole = length & ~7
    for (let at = 0; at < whole; at += 8) {
      if (view.getFloat64(start + at, true) !== keys.getFloat64(key + at, true)) return false
    }
    for (let at = whole; at < length; at++) {
      if (view.getUint8(start + at) !== keys.getUint8(key + at)) return false
    }
    return true
  }

  #add(place: number, text: string, start: number): V {
    const value = this.#compute(text)
    if (this.#values.length === this.#entriesMax || this.#keyBytes + text.length > this.#keys.byteLength) {
      this.clear()
      return value
    }
    const entry = this.#values.push(value) - 1
    this.#places[place] = entry + 1
    this.#starts[entry] = this.#keyBytes
    this.#lengths[entry] = text.length
    for (let at = 0; at < text.length; at++) this.#keys.setUint8(this.#keyBytes + at, this.#view.getUint8(start + at))
    this.#keyBytes += text.length
    return value
  }
}

/** Bytes of keys for each entry. */
const KEY_BYTES = 128

/** Of all bytes: user agents differ in a digit or two. Two sums at a time, since one would wait for its own last step. */
function hashOf(view: DataView, start: number, length: number): number {
  let even = length
  let odd = 0
  const whole = start + (length & ~7)
  for (let at = start; at < whole; at += 8) {
    even = Math.imul(even ^ view.getInt32(at, true), PRIME)
    odd = Math.imul(odd ^ view.getInt32(at + 4, true), PRIME)
  }
  for (let at = whole; at < start + length; at++) even = Math.imul(even ^ view.getUint8(at), PRIME)
  const hash = Math.imul(even ^ (odd >>> 13) ^ (odd << 7), PRIME)
  return hash ^ (hash >>> 15)
}

const PRIME = 0x9e3779b1
