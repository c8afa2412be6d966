import { isUtf8 } from 'node:buffer'
import { countLines, JsonScanner } from '../input/json-scanner.ts'
import { ANSWER_RECORD_BYTES_MAX } from '../limits.ts'
import { type Document, type DocumentReader, EXCERPT_BYTES, TOO_LONG } from './document.ts'

const NEWLINE = 0x0a
const SPACE = 0x20
const COMMA = 0x2c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const QUOTE = 0x22
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
/** What may stand behind a record on its line: nothing, a comma, or another record. */
const TAILS: ReadonlySet<number | undefined> = new Set([undefined, NEWLINE, COMMA, OPEN_OBJECT, OPEN_ARRAY])

/**
 * Splits JSON text into records. A line that is an object is parsed as it stands, which is as fast as splitting lines;
 * anything else (arrays, documents over many lines, broken ones) is searched for its end byte by byte.
 */
export class JsonReader implements DocumentReader {
  /** Bytes not yet used up; the record under way starts at `#at`. */
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #line = 1
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isInArray = false
  #arrayLine = 0
  #arrayCount = 0
  /** Looks for the end of the record under way; it has read up to `#scanned`. */
  #scanner: JsonScanner | undefined
  #scanned = 0
  /** The record under way is too long, which has been said; its bytes are dropped as they come. */
  #isSkipping = false
  /** No line that starts before this is tried as a whole again. */
  #triedUntil = 0
  #isLast = false
  #isStart = true
  #isForeign = false
  #documents: Document[] = []

  push(bytes: Buffer): Document[] {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    // A long record is looked at again when its bytes have doubled: so each byte is copied a few times, not thousands.
    return this.#waitingBytes < this.#bytes.length - this.#at ? [] : this.#read()
  }

  end(): Document[] {
    this.#isLast = true
    return this.#read()
  }

  #read(): Document[] {
    const rest = this.#bytes.subarray(this.#at)
    this.#scanned -= this.#at
    this.#triedUntil -= this.#at
    this.#at = 0
    this.#bytes =
      rest.length === 0 && this.#waiting.length === 1 ? this.#first() : Buffer.concat([rest, ...this.#waiting])
    this.#waiting = []
    this.#waitingBytes = 0
    this.#documents = []
    if (this.#isForeign) this.#at = this.#bytes.length
    else while (this.#readRecord());
    if (this.#isLast && this.#isInArray && !this.#isForeign) this.#closeArray()
    return this.#documents
  }

  get #array(): number {
    return this.#isInArray ? this.#arrayCount : 0
  }

  #first(): Buffer {
    return this.#waiting[0] ?? Buffer.alloc(0)
  }

  /** Moves on by one record or bracket; false when the bytes are used up or don't suffice. */
  #readRecord(): boolean {
    if (this.#scanner) return this.#scan(this.#scanner)
    if (this.#isSkipping) return this.#readRest()
    if (!this.#skipSpace()) return false
    const first = this.#bytes[this.#at]
    if (first === OPEN_ARRAY && !this.#isInArray) {
      this.#isInArray = true
      this.#arrayCount += 1
      this.#arrayLine = this.#line
      this.#at += 1
      return true
    }
    if (first === CLOSE_ARRAY && this.#isInArray) {
      this.#isInArray = false
      this.#at += 1
      return true
    }
    if (first === OPEN_OBJECT && this.#readLine()) return true
    if (first === OPEN_OBJECT || (this.#isInArray && (first === OPEN_ARRAY || first === QUOTE))) {
      this.#scanned = this.#at
      this.#scanner = new JsonScanner({ newRecords: this.#isInArray ? 'anywhere' : 'on a line' })
      return this.#scan(this.#scanner)
    }
    return this.#readRest()
  }

  /** To the next byte that is neither white space nor a comma between records; false when there is none yet. */
  #skipSpace(): boolean {
    for (; this.#at < this.#bytes.length; this.#at += 1) {
      const byte = this.#bytes[this.#at] ?? 0
      if (byte === NEWLINE) this.#line += 1
      else if (byte === 0xef && this.#isMark()) this.#at += BYTE_ORDER_MARK.length - 1
      else if (byte === 0xef && this.#bytes.length - this.#at < 3 && !this.#isLast) return false
      else if (this.#isStart && (byte === 0xff || byte === 0xfe)) return this.#refuse()
      else if (byte > SPACE && byte !== COMMA) {
        this.#isStart = false
        return true
      }
    }
    return false
  }

  #isMark(): boolean {
    return this.#bytes.subarray(this.#at, this.#at + 3).equals(BYTE_ORDER_MARK)
  }

  /** Bytes that no UTF-8 text has and UTF-16 files start with: no record of the file can be read. */
  #refuse(): boolean {
    this.#documents.push({ line: 1, text: '', reason: 'the file is UTF-16; save it as UTF-8', array: 0 })
    this.#isForeign = true
    this.#at = this.#bytes.length
    return false
  }

  /** Takes the rest of the line as one record, if it is one. */
  #readLine(): boolean {
    if (this.#at < this.#triedUntil) return false
    const lineEnd = this.#findLineEnd()
    this.#triedUntil = lineEnd === -1 ? this.#bytes.length : lineEnd
    if (lineEnd === -1) return false
    let end = lineEnd
    while ((this.#bytes[end - 1] ?? 0) <= SPACE || this.#bytes[end - 1] === COMMA) end -= 1
    if (this.#bytes[end - 1] !== CLOSE_OBJECT || end - this.#at > ANSWER_RECORD_BYTES_MAX) return false
    const text = this.#decode(this.#at, end)
    if (text === undefined) return false
    const json = parseJson(text)
    if (json === undefined) return false
    this.#documents.push({ line: this.#line, text, json, array: this.#array })
    this.#at = end
    return true
  }

  /** Index of the next line break from here, or of the end of the input; -1 when neither is known yet. */
  #findLineEnd(): number {
    const lineEnd = this.#bytes.indexOf(NEWLINE, this.#at)
    return lineEnd === -1 && this.#isLast ? this.#bytes.length : lineEnd
  }

  #scan(scanner: JsonScanner): boolean {
    const scan = scanner.scan(this.#bytes, this.#scanned, this.#isLast)
    if (scan.found === 'more' && !this.#isLast) {
      this.#scanned = scan.at
      this.#skipWhatIsTooLong(scan.at)
      return false
    }
    this.#scanner = undefined
    if (scan.found === 'end') this.#take(this.#isInArray ? scan.at : this.#withTail(scan.at))
    else this.#takeCutOff(scan.found === 'next' ? scan.at : this.#bytes.length)
    // The file ends in a record of the array: what is missing has been said.
    if (scan.found === 'more' && this.#at === this.#bytes.length) this.#isInArray = false
    return true
  }

  /** What stands behind a record on its line and starts no other one spoils it. */
  #withTail(end: number): number {
    let at = end
    while (at < this.#bytes.length && (this.#bytes[at] ?? 0) <= SPACE && this.#bytes[at] !== NEWLINE) at += 1
    if (TAILS.has(this.#bytes[at])) return end
    const lineEnd = this.#bytes.indexOf(NEWLINE, at)
    return lineEnd === -1 ? this.#bytes.length : lineEnd
  }

  /** The record from here to `end`. When it isn't JSON, a line in it that starts an object is taken as the next record. */
  #take(end: number): void {
    if (this.#isSkipping) return this.#moveTo(end)
    if (end - this.#at > ANSWER_RECORD_BYTES_MAX) return this.#fault(end, TOO_LONG)
    const text = this.#decode(this.#at, end)
    if (text === undefined) return this.#fault(end, 'invalid UTF-8')
    const json = parseJson(text)
    if (json === undefined) return this.#fault(this.#findNextObject(end), `not valid JSON: ${toFault(text)}`)
    this.#documents.push({ line: this.#line, text, json, array: this.#array })
    this.#moveTo(end)
  }

  /** The record from here lacks its end, and no later than `end` another one starts. */
  #takeCutOff(end: number): void {
    if (this.#isSkipping) this.#moveTo(end)
    else this.#fault(this.#findNextObject(end), 'not valid JSON: it ends before it is complete')
  }

  #findNextObject(end: number): number {
    const at = this.#bytes.subarray(this.#at, end).indexOf('\n{')
    return at === -1 ? end : this.#at + at + 1
  }

  /** Neither object nor array: what stands there up to the end of the line, in an array up to the next comma. */
  #readRest(): boolean {
    let end = this.#at
    const ends = this.#isInArray ? [NEWLINE, COMMA, CLOSE_ARRAY] : [NEWLINE]
    while (end < this.#bytes.length && !ends.includes(this.#bytes[end] ?? 0)) end += 1
    if (end === this.#bytes.length && !this.#isLast) {
      this.#skipWhatIsTooLong(end)
      return false
    }
    if (end > this.#at || this.#isSkipping) this.#take(end)
    this.#isSkipping = false
    return true
  }

  #skipWhatIsTooLong(scanned: number): void {
    if (scanned - this.#at <= ANSWER_RECORD_BYTES_MAX && !this.#isSkipping) return
    if (!this.#isSkipping)
      this.#documents.push({ line: this.#line, text: this.#excerpt(scanned), reason: TOO_LONG, array: this.#array })
    this.#isSkipping = true
    this.#line += countLines(this.#bytes, this.#at, scanned)
    this.#at = scanned
  }

  #fault(end: number, reason: string): void {
    this.#documents.push({ line: this.#line, text: this.#excerpt(end).trimEnd(), reason, array: this.#array })
    this.#moveTo(end)
  }

  #moveTo(end: number): void {
    this.#line += countLines(this.#bytes, this.#at, end)
    this.#at = end
    this.#isSkipping = false
  }

  #excerpt(end: number): string {
    const isLong = end - this.#at > ANSWER_RECORD_BYTES_MAX
    return this.#bytes.toString('utf8', this.#at, isLong ? this.#at + EXCERPT_BYTES : end)
  }

  #decode(start: number, end: number): string | undefined {
    const bytes = this.#bytes.subarray(start, end)
    return isUtf8(bytes) ? bytes.toString('utf8') : undefined
  }

  #closeArray(): void {
    this.#isInArray = false
    this.#documents.push({
      array: this.#arrayCount,
      line: this.#arrayLine,
      text: '',
      reason: 'not valid JSON: the array that starts on this line has no end; the records in it were read',
    })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the parser says of a text that it refuses. */
function toFault(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
