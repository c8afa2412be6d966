import type { LineVisitor, Splitter } from './lines.ts'

/**
 * Splits JSON that isn't one object a line: an array of objects, several arrays, objects over several lines. Visits the
 * text of each object, with the number of the line it starts in; what else stands where an object should is a fault.
 * Bytes that are no UTF-8 read as U+FFFD.
 */
export class JsonSplitter implements Splitter {
  readonly #bytesMax: number
  /** Of the record under way, or of the last fault. */
  #number: number
  #offset: number
  #chunkOffset: number
  #lineNumber: number
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** Within something that is no object, which has been said. */
  #isJunk = false
  #pending: Buffer[] = []
  #bytes = 0
  readonly #listStart: RegExp | undefined
  /** Objects of which a list is being read. */
  #lists = 0
  /** Depth within what follows the list in such an object; undefined while there is none. */
  #tail: number | undefined

  /**
   * `number` and `offset` say where the content starts, between two records, when that isn't its first byte. `lists`
   * names members of an object whose arrays hold the records, in the place of the object itself.
   */
  constructor(options: {
    readonly bytesMax: number
    readonly number?: number
    readonly offset?: number
    readonly lists?: readonly string[]
  }) {
    const { bytesMax, number = 1, offset = 0, lists = [] } = options
    this.#bytesMax = bytesMax
    this.#number = number
    this.#lineNumber = number
    this.#offset = offset
    this.#chunkOffset = offset
    this.#listStart = lists.length === 0 ? undefined : new RegExp(`"(?:${lists.join('|')})"\\s*:\\s*$`)
  }

  /** Number of the line that what was pushed ends in. */
  get lineNumber(): number {
    return this.#lineNumber
  }

  get number(): number {
    return this.#number
  }

  get offset(): number {
    return this.#offset
  }

  push(chunk: Buffer, visitor: LineVisitor): void {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.#isInString) this.#readInString(byte, visitor)
      else if (this.#tail !== undefined) this.#readTail(byte)
      else if (this.#depth > 0) {
        if (byte === QUOTE) this.#isInString = true
        else if (
          byte === OPENING_BRACKET &&
          this.#depth === 1 &&
          this.#lists === 0 &&
          this.#startsList(chunk.subarray(start, at))
        ) {
          this.#reset()
          this.#lists += 1
        } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) this.#depth += 1
        else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
          this.#depth -= 1
          if (this.#depth === 0) this.#visit(chunk.subarray(start, at + 1), visitor)
        }
      } else if (byte === OPENING_BRACE) {
        start = at
        this.#startAt(at)
        this.#depth = 1
        this.#isJunk = false
      } else this.#readBetween(byte, at, visitor)
      if (byte === NEWLINE) this.#lineNumber += 1
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(start))
    this.#chunkOffset += chunk.length
  }

  end(visitor: LineVisitor): void {
    if (this.#depth > 0) this.#fault('the file ends within this object', visitor)
  }

  #startAt(at: number): void {
    this.#number = this.#lineNumber
    this.#offset = this.#chunkOffset + at
  }

  #readInString(byte: number, visitor: LineVisitor): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isInString = false
    // JSON has no line ends within strings: the quote that should end this one is missing.
    if (byte === NEWLINE) this.#fault('a text without closing quote', visitor)
  }

  /** Whether the array that begins behind this piece of the object holds the records. */
  #startsList(piece: Buffer): boolean {
    if (this.#listStart === undefined) return false
    const before = Buffer.concat([...this.#pending, piece])
    return this.#listStart.test(before.subarray(-LIST_NAME_BYTES_MAX).toString())
  }

  /** What follows a list in its object says nothing of the records. */
  #readTail(byte: number): void {
    if (byte === QUOTE) this.#isInString = true
    else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) this.#tail = (this.#tail ?? 0) + 1
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      this.#lists -= Number(this.#tail === 0)
      this.#tail = this.#tail === 0 ? undefined : (this.#tail ?? 0) - 1
    }
  }

  #readBetween(byte: number, at: number, visitor: LineVisitor): void {
    // Where reading goes on within a list, its object was not seen to begin.
    if (byte === CLOSING_BRACE && this.#listStart) return
    if (byte === CLOSING_BRACKET && this.#lists > 0) {
      this.#tail = 0
      this.#isJunk = false
      return
    }
    if (byte === COMMA || byte === NEWLINE || byte === OPENING_BRACKET || byte === CLOSING_BRACKET) this.#isJunk = false
    else if (!this.#isJunk && !BETWEEN.has(byte)) {
      this.#startAt(at)
      this.#fault('not a JSON object', visitor)
      this.#isJunk = true
    }
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes <= this.#bytesMax) this.#pending.push(Buffer.from(piece))
    else this.#pending = []
  }

  #visit(piece: Buffer, visitor: LineVisitor): void {
    if (this.#bytes + piece.length > this.#bytesMax) {
      this.#fault(`too long: over ${this.#bytesMax} bytes`, visitor)
      return
    }
    const text = this.#pending.length === 0 ? piece.toString() : Buffer.concat([...this.#pending, piece]).toString()
    this.#reset()
    visitor.line(text, 0, text.length)
  }

  #fault(reason: string, visitor: LineVisitor): void {
    this.#reset()
    visitor.fault(reason)
  }

  #reset(): void {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    this.#pending = []
    this.#bytes = 0
  }
}

const LIST_NAME_BYTES_MAX = 64
const NEWLINE = 0x0a
const QUOTE = 0x22
const COMMA = 0x2c
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** White space, and the bytes of a byte order mark. */
const BETWEEN = new Set([0x09, 0x0d, 0x20, 0xef, 0xbb, 0xbf])
