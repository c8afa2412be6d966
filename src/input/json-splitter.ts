import { countLines, JsonScanner } from './json-scanner.ts'
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
  /** Looks for the end of the object under way. */
  #scanner: JsonScanner | undefined
  /** That is the rest of an object behind its list, which says nothing of the records. */
  #isTail = false
  /** Within something that is no object, which has been said. */
  #isJunk = false
  #pending: Buffer[] = []
  #bytes = 0
  readonly #listStart: RegExp | undefined
  /** Objects of which a list is being read. */
  #lists = 0

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
    /** Where the object under way starts in the chunk. */
    let start = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#scanner === undefined) {
        if (this.#readBetween(chunk[at] ?? 0, at, visitor)) start = at
        else at += 1
        continue
      }
      const scan = this.#scanner.scan(chunk, at)
      this.#lineNumber += countLines(chunk, at, scan.at)
      at = scan.at
      if (scan.found === 'break') this.#fault('a text without closing quote', visitor)
      else if (scan.found === 'end') this.#visit(chunk.subarray(start, at), visitor)
      else if (scan.found === 'array' && this.#startsList(chunk.subarray(start, at - 1))) {
        this.#reset()
        this.#lists += 1
      }
    }
    if (this.#scanner && !this.#isTail) this.#keep(chunk.subarray(start))
    this.#chunkOffset += chunk.length
  }

  end(visitor: LineVisitor): void {
    if (this.#scanner && !this.#isTail) this.#fault('the file ends within this object', visitor)
  }

  /** One byte that is in no object: whether one starts with it. */
  #readBetween(byte: number, at: number, visitor: LineVisitor): boolean {
    if (byte === NEWLINE) this.#lineNumber += 1
    if (byte === OPENING_BRACE) {
      this.#startAt(at)
      const stopsAtArrays = this.#listStart !== undefined && this.#lists === 0
      this.#scanner = new JsonScanner({ newRecords: 'none', stopsAtArrays })
      this.#isJunk = false
      return true
    }
    // Where reading goes on within a list, its object was not seen to begin.
    if (byte === CLOSING_BRACE && this.#listStart) return false
    if (byte === CLOSING_BRACKET && this.#lists > 0) {
      this.#scanner = new JsonScanner({ newRecords: 'none', depth: 1 })
      this.#isTail = true
      this.#isJunk = false
    } else if (SEPARATORS.has(byte)) this.#isJunk = false
    else if (!this.#isJunk && !SPACE.has(byte)) {
      this.#startAt(at)
      this.#fault('not a JSON object', visitor)
      this.#isJunk = true
    }
    return false
  }

  #startAt(at: number): void {
    this.#number = this.#lineNumber
    this.#offset = this.#chunkOffset + at
  }

  /** Whether the array that begins behind this piece of the object holds the records. */
  #startsList(piece: Buffer): boolean {
    const before = Buffer.concat([...this.#pending, piece])
    return this.#listStart?.test(before.subarray(-LIST_NAME_BYTES_MAX).toString()) === true
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length
    if (this.#bytes <= this.#bytesMax) this.#pending.push(Buffer.from(piece))
    else this.#pending = []
  }

  #visit(piece: Buffer, visitor: LineVisitor): void {
    if (this.#isTail) {
      this.#isTail = false
      this.#lists -= 1
      this.#reset()
    } else if (this.#bytes + piece.length > this.#bytesMax) {
      this.#fault(`too long: over ${this.#bytesMax} bytes`, visitor)
    } else {
      const text = Buffer.concat([...this.#pending, piece]).toString()
      this.#reset()
      visitor.line(text, 0, text.length)
    }
  }

  #fault(reason: string, visitor: LineVisitor): void {
    if (!this.#isTail) this.#reset()
    visitor.fault(reason)
  }

  #reset(): void {
    this.#scanner = undefined
    this.#pending = []
    this.#bytes = 0
  }
}

const LIST_NAME_BYTES_MAX = 64
const NEWLINE = 0x0a
const OPENING_BRACE = 0x7b
const CLOSING_BRACKET = 0x5d
const CLOSING_BRACE = 0x7d
/** Commas, line breaks and brackets of arrays. */
const SEPARATORS = new Set([0x2c, NEWLINE, 0x5b, CLOSING_BRACKET])
/** White space, and the bytes of a byte order mark. */
const SPACE = new Set([0x09, 0x0d, 0x20, 0xef, 0xbb, 0xbf])
