import { isAscii } from 'node:buffer'

export interface LineVisitor {
  /**
   * One line: the characters of `text` from `start` to `end`, without `\n` or `\r\n`. `text` may hold many other
   * lines; what is kept of it for longer than the visit of some thousand lines is copied with `detachString`.
   */
  line(text: string, start: number, end: number): void
  /** In the place of a line that can't be handed on; the next line is read as usual. */
  fault(reason: string): void
  /**
   * Looks at the line that starts at `start` before it is handed on as text. The index of its `\n` when that isn't needed,
   * else -1. `text` is `bytes` as latin1 and ends with `\n`.
   */
  skim?(text: string, start: number, bytes: Buffer): number
}

/** Takes chunks of content apart into lines or records. */
export interface Splitter {
  /** Number, from 1, of the line being visited; between two chunks, of the line that has not ended yet. */
  readonly number: number
  /** Where that line starts in the decompressed content, in bytes. */
  readonly offset: number
  /** Visits what ends in this chunk, whose memory may be used again afterwards. */
  push(chunk: Buffer, visitor: LineVisitor): void
  /** Visits what the end of the content ends. */
  end(visitor: LineVisitor): void
}

export interface LineOptions {
  /** Longer lines are faults; they are never held in memory. */
  readonly bytesMax: number
  /** Number and offset of the first line, when the content isn't read from its start; 1 and 0 otherwise. */
  readonly number?: number
  readonly offset?: number
  /** The content starts within a line that was visited before: what is left of it is dropped. */
  readonly isWithinLine?: boolean
}

/**
 * Splits chunks of bytes into lines: `push` each chunk, then `end`. Nothing is awaited and nothing copied per line.
 * A UTF-8 byte order mark at the start of the content is dropped. Bytes that are no UTF-8 read as U+FFFD, and nothing else
 * moves: clients write what they like into logs.
 */
export class LineSplitter implements Splitter {
  readonly #bytesMax: number
  #number: number
  #offset: number
  /** Where the chunk being split starts. */
  #chunkOffset: number
  /** The beginning of a line whose end has not come yet. */
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** The line under way is too long, which has been said; the rest of it is dropped. */
  #isSkipping = false

  constructor(options: LineOptions) {
    this.#bytesMax = options.bytesMax
    this.#number = options.number ?? 1
    this.#offset = options.offset ?? 0
    this.#chunkOffset = this.#offset
    this.#isSkipping = options.isWithinLine ?? false
  }

  get number(): number {
    return this.#number
  }

  /** A file that grows can be read on from the offset after its last chunk: a line without its `\n` is still being written. */
  get offset(): number {
    return this.#offset
  }

  push(chunk: Buffer, visitor: LineVisitor): void {
    let start = 0
    if (this.#isWithinLine()) {
      const newline = chunk.indexOf(NEWLINE)
      start = newline === -1 ? chunk.length : newline
      this.#keep(chunk.subarray(0, start), visitor)
      if (newline !== -1) {
        this.#visitPending(visitor)
        start += 1
        this.#startLine(this.#chunkOffset + start)
        this.#number += 1
      }
    }
    const last = chunk.lastIndexOf(NEWLINE)
    while (start <= last) {
      const end = last - start <= TEXT_BYTES ? last : findPieceEnd(chunk, start)
      this.#visitLines(chunk.subarray(start, end + 1), visitor)
      start = end + 1
      this.#startLine(this.#chunkOffset + start)
      this.#number += 1
    }
    this.#keep(chunk.subarray(start), visitor)
    this.#chunkOffset += chunk.length
  }

  /** Visits the last line of a content that doesn't end with `\n`; `number` and `offset` stay at it. */
  end(visitor: LineVisitor): void {
    this.#visitPending(visitor)
  }

  #isWithinLine(): boolean {
    return this.#pendingBytes > 0 || this.#isSkipping
  }

  #startLine(offset: number): void {
    this.#offset = offset
    this.#pending = []
    this.#pendingBytes = 0
    this.#isSkipping = false
  }

  #keep(piece: Buffer, visitor: LineVisitor): void {
    if (piece.length === 0 || this.#isSkipping) return
    this.#pendingBytes += piece.length
    if (this.#pendingBytes <= this.#bytesMax + RETURN_BYTES) {
      this.#pending.push(Buffer.from(piece))
      return
    }
    visitor.fault(tooLong(this.#bytesMax))
    this.#pending = []
    this.#isSkipping = true
  }

  #visitPending(visitor: LineVisitor): void {
    if (this.#pendingBytes > 0 && !this.#isSkipping) this.#visitLines(Buffer.concat(this.#pending), visitor)
  }

  /** Lines in one piece of memory, with their `\n`, or one without; leaves `number` and `offset` at the last. */
  #visitLines(body: Buffer, visitor: LineVisitor): void {
    const text = body.toString('latin1')
    let nextHigh = isAscii(body) ? text.length : findHigh(text, 0)
    const bodyOffset = this.#offset
    const isEnded = body.at(-1) === NEWLINE
    let start = 0
    for (;;) {
      const skimmed = isEnded ? (visitor.skim?.(text, start, body) ?? -1) : -1
      const newline = skimmed === -1 ? text.indexOf('\n', start) : skimmed
      const lineEnd = newline === -1 ? text.length : newline
      const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === RETURN ? lineEnd - 1 : lineEnd
      if (skimmed === -1) {
        if (end - start > this.#bytesMax) visitor.fault(tooLong(this.#bytesMax))
        else if (end <= nextHigh) visitor.line(text, start, end)
        else this.#visitUtf8(body.subarray(start, end), visitor)
      }
      if (newline === -1 || newline === text.length - 1) return
      start = newline + 1
      if (nextHigh < start) nextHigh = findHigh(text, start)
      this.#number += 1
      this.#offset = bodyOffset + start
    }
  }

  #visitUtf8(bytes: Buffer, visitor: LineVisitor): void {
    const text = bytes.toString('utf8')
    const start = this.#offset === 0 && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
    visitor.line(text, start, text.length)
  }
}

const NEWLINE = 0x0a
const RETURN = 0x0d
/** A `\r` before the end of a line isn't part of it. */
export const RETURN_BYTES = 1
const BYTE_ORDER_MARK = '\uFEFF'
/** Lines decoded at once: strings of this size live and die in V8's young generation. */
const TEXT_BYTES = 64 * 1_024
const HIGH = /[\u0080-\u00ff]/g

/** The last `\n` within reach of `start`, or the first one behind it. There must be one. */
function findPieceEnd(chunk: Buffer, start: number): number {
  const end = chunk.lastIndexOf(NEWLINE, start + TEXT_BYTES)
  return end >= start ? end : chunk.indexOf(NEWLINE, start)
}

/** Index of the first character from `start` on that is no ASCII; the length when there is none. */
function findHigh(text: string, start: number): number {
  HIGH.lastIndex = start
  return HIGH.exec(text)?.index ?? text.length
}

/** Why a line isn't handed on. */
export function tooLong(bytesMax: number): string {
  return `too long: over ${bytesMax} bytes`
}
