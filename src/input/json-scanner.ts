const NEWLINE = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Containers whose kind is remembered; deeper ones are counted only. */
const KINDS_KEPT = 1_024

/**
 * What scanning came to, and where:
 * - `end`: the value is complete; `at` is the index behind it.
 * - `next`: a new record starts at `at` though this value is still open: it lacks its end.
 * - `break`: a string lacks its end; `at` is behind the line break in it, which closes it.
 * - `array`: an array of the outermost object starts right before `at`.
 * - `more`: the bytes don't suffice: go on at `at` when there are more.
 */
interface Scan {
  readonly found: 'end' | 'next' | 'break' | 'array' | 'more'
  readonly at: number
}

export interface JsonScannerOptions {
  /**
   * Which `{` that may not stand where it stands starts a new record: any, or only one at the start of a line. With
   * `none`, brackets are only counted, and a line break in a string is told.
   */
  readonly newRecords: 'anywhere' | 'on a line' | 'none'
  readonly stopsAtArrays?: boolean
  /** Brackets that are open at the start. */
  readonly depth?: number
}

/**
 * Finds where a JSON value ends without parsing it, over as many pieces as it takes. Only brackets and strings are
 * looked at, and whether a `{` may stand where it stands: one that may not shows that the record before was cut off.
 */
export class JsonScanner {
  #depth: number
  /** Whether the containers around are arrays. */
  readonly #arrays: boolean[] = []
  #isInString = false
  /** The last byte of the piece before was a backslash that escapes the first one of the next. */
  #isEscaped = false
  /** Last byte outside strings that is no white space. */
  #previous = 0
  #isLineStart = false
  readonly #newRecords: JsonScannerOptions['newRecords']
  readonly #stopsAtArrays: boolean

  constructor({ newRecords, stopsAtArrays = false, depth = 0 }: JsonScannerOptions) {
    this.#newRecords = newRecords
    this.#stopsAtArrays = stopsAtArrays
    this.#depth = depth
  }

  /** Reads on in `bytes` from `from`, which continues what was read before. At the end of the input `isLast` is true. */
  scan(bytes: Buffer, from: number, isLast = false): Scan {
    let at = from
    while (at < bytes.length) {
      if (this.#isInString) {
        const end = this.#scanString(bytes, at, isLast)
        if (typeof end !== 'number') return end
        at = end
        if (this.#depth === 0 && !this.#isInString) return { found: 'end', at }
        continue
      }
      const byte = bytes[at] ?? 0
      at += 1
      if (byte === QUOTE) this.#isInString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (byte === OPEN_OBJECT && !this.#mayOpen()) return { found: 'next', at: at - 1 }
        if (this.#depth < KINDS_KEPT) this.#arrays[this.#depth] = byte === OPEN_ARRAY
        this.#depth += 1
        if (this.#stopsAtArrays && byte === OPEN_ARRAY && this.#depth === 2) return { found: 'array', at }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth -= 1
        if (this.#depth <= 0) return { found: 'end', at }
      }
      if (byte === NEWLINE) this.#isLineStart = true
      else if (byte > 0x20) {
        this.#isLineStart = false
        this.#previous = byte
      }
    }
    return { found: 'more', at }
  }

  /** An object opens a value: at the start, behind a colon, or behind `[` or a comma of an array. */
  #mayOpen(): boolean {
    if (this.#newRecords === 'none' || this.#depth === 0 || this.#depth > KINDS_KEPT) return true
    const isInArray = this.#arrays[this.#depth - 1] === true
    const fits = this.#previous === COLON || (isInArray && (this.#previous === COMMA || this.#previous === OPEN_ARRAY))
    return fits || (this.#newRecords === 'on a line' && !this.#isLineStart)
  }

  /** The index behind the string's closing quote, or behind a line break that has no business in it. */
  #scanString(bytes: Buffer, from: number, isLast: boolean): number | Scan {
    let start = from
    if (this.#isEscaped) {
      this.#isEscaped = false
      start += 1
    }
    let quote = bytes.indexOf(QUOTE, start)
    while (quote !== -1 && isOdd(countBackslashes(bytes, start, quote))) quote = bytes.indexOf(QUOTE, quote + 1)
    const end = quote === -1 ? bytes.length : quote
    const lineBreak = findByte(bytes, NEWLINE, from, end)
    if (lineBreak !== -1) {
      // JSON has no line breaks in strings.
      if (this.#newRecords === 'none') {
        this.#isInString = false
        return { found: 'break', at: lineBreak + 1 }
      }
      const next = bytes[lineBreak + 1]
      // A line that starts a record shows that this one was cut off in the string.
      if (next === OPEN_OBJECT) return { found: 'next', at: lineBreak + 1 }
      if (next !== undefined || isLast) return lineBreak + 1
      return { found: 'more', at: lineBreak }
    }
    if (quote === -1) {
      this.#isEscaped = isOdd(countBackslashes(bytes, start, end))
      return bytes.length
    }
    this.#isInString = false
    this.#isLineStart = false
    this.#previous = QUOTE
    return quote + 1
  }
}

function findByte(bytes: Buffer, byte: number, start: number, end: number): number {
  const at = bytes.subarray(start, end).indexOf(byte)
  return at === -1 ? -1 : start + at
}

/** How many backslashes stand right before `end`, looking back no further than `start`. */
function countBackslashes(bytes: Buffer, start: number, end: number): number {
  let at = end
  while (at > start && bytes[at - 1] === BACKSLASH) at -= 1
  return end - at
}

function isOdd(count: number): boolean {
  return count % 2 === 1
}

/** The number of line breaks from `start` to `end`. */
export function countLines(bytes: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
