import type { LogLine } from './log-line.ts'
import { orNothing } from './log-text.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './log-time.ts'
import { splitTarget } from './request-line.ts'

/**
 * Reads in place what nearly every line of a `combined` log is: no user, the request of a path, nothing escaped, nothing
 * behind the user agent but `X-Forwarded-For`. `find` first says where the fields are; most lines need no more than that,
 * since they are neither a bot's nor an engine's visitor's.
 */
export class UsualLine {
  /** Of the line found: whole seconds since 1970, and where its fields start and end in the text. The path has no query. */
  timeSeconds = 0
  status = 0
  isGet = false
  addressStart = 0
  addressEnd = 0
  pathStart = 0
  pathEnd = 0
  refererStart = 0
  refererEnd = 0
  agentStart = 0
  agentEnd = 0
  #text = ''
  #bytes: Uint8Array = new Uint8Array(0)
  #end = 0
  #requestStart = 0
  #methodEnd = 0
  /** Place of the question mark; past the request when there is none. */
  #queryStart = 0
  #requestEnd = 0
  readonly #times = new UsualTimes()
  readonly #marks = new NextPlace('?')
  readonly #hashes = new NextPlace('#')
  readonly #escapes = new NextPlace('\\')

  /**
   * Whether the line in the characters from `start` to `end` is a usual one, which `toLine` then gives; `parseCombined`
   * reads or rejects the others, and reads all lines as this does. `bytes` are those of `text`, one a character: looking
   * at single bytes costs a fraction of looking at characters.
   */
  find(text: string, start: number, end: number, bytes: Uint8Array): boolean {
    const addressEnd = text.indexOf(' ', start)
    const requestStart = addressEnd + REQUEST_OFFSET
    if (!hasNoUser(bytes, addressEnd) || bytes[requestStart - 3] !== CLOSING_BRACKET) return false
    const requestEnd = text.indexOf('"', requestStart)
    const refererStart = text.indexOf('"', requestEnd + 1) + 1
    const refererEnd = text.indexOf('"', refererStart)
    const agentStart = refererEnd + 3
    const agentEnd = text.indexOf('"', agentStart)
    if (requestEnd >= refererStart || refererStart > refererEnd || agentStart > agentEnd || agentEnd >= end)
      return false
    if (!isQuoteAfterSpace(bytes, requestStart - 2) || !isQuoteAfterSpace(bytes, refererEnd + 1)) return false
    const methodEnd = findMethodEnd(bytes, requestStart)
    if (
      methodEnd === requestStart ||
      !isPathAndProtocol(bytes, methodEnd, requestEnd) ||
      !isAnswer(bytes, requestEnd + 1, refererStart - 2)
    )
      return false
    if (this.#escapes.find(text, requestStart) < end) return false
    if (agentEnd + 1 !== end && findLastQuoted(text, bytes, agentEnd + 1, end) === undefined) return false
    const timeSeconds = this.#times.parse(text, bytes, addressEnd + TIME_OFFSET)
    if (timeSeconds === undefined) return false
    this.timeSeconds = timeSeconds
    this.status = toStatus(bytes, requestEnd + 2)
    // No other method has three letters and this one first.
    this.isGet = methodEnd - requestStart === 3 && bytes[requestStart] === LETTER_G
    const mark = this.#marks.find(text, methodEnd)
    this.#queryStart = mark
    this.#bytes = bytes
    this.addressStart = start
    this.addressEnd = addressEnd
    this.pathStart = methodEnd + 1
    this.pathEnd = Math.min(mark, this.#hashes.find(text, methodEnd), requestEnd - PROTOCOL_LENGTH)
    this.refererStart = refererStart
    this.refererEnd = refererEnd
    this.agentStart = agentStart
    this.agentEnd = agentEnd
    this.#text = text
    this.#end = end
    this.#requestStart = requestStart
    this.#methodEnd = methodEnd
    this.#requestEnd = requestEnd
    return true
  }

  /** Whether the request may have a `utm_source` in its query; looked for when it is asked for. */
  get mayHaveSource(): boolean {
    return this.#queryStart < this.#requestEnd && hasUtm(this.#bytes, this.#queryStart, this.#requestEnd)
  }

  /** The line found. */
  toLine(): LogLine {
    const text = this.#text
    const method = this.isGet ? 'GET' : text.substring(this.#requestStart, this.#methodEnd)
    const { path, query } = splitTarget(
      method,
      text.substring(this.#methodEnd + 1, this.#requestEnd - PROTOCOL_LENGTH),
      '',
    )
    const hasMore = this.agentEnd + 1 < this.#end
    return {
      timeSeconds: this.timeSeconds,
      method,
      path,
      query,
      status: this.status,
      userAgent: orNothing(text.substring(this.agentStart, this.agentEnd)),
      referer: orNothing(text.substring(this.refererStart, this.refererEnd)),
      address: orNothing(text.substring(this.addressStart, this.addressEnd)),
      forwardedFor: hasMore ? orNothing(text.substring(this.agentEnd + 3, this.#end - 1)) : '',
      host: '',
    }
  }
}

/** Where a character stands next in a text; asked for places that only go on, it is looked for once each. */
class NextPlace {
  readonly #character: string
  #text = ''
  #from = 0
  #place = -1

  constructor(character: string) {
    this.#character = character
  }

  /** Its first place from `start` on; past any place when there is none. */
  find(text: string, start: number): number {
    if (this.#place >= start && this.#text === text && this.#from <= start) return this.#place
    this.#text = text
    this.#from = start
    const place = text.indexOf(this.#character, start)
    this.#place = place === -1 ? NOWHERE : place
    return this.#place
  }
}

/** Behind any text's end; a whole number, as all places are, so that none needs more memory. */
const NOWHERE = 2 ** 30 - 1

/** Times like those of the lines before: only the second differs. */
class UsualTimes {
  readonly #last = new Uint8Array(CLF_TIME_LENGTH)
  #minuteStart = 0

  /** As `parseClfTime`. */
  parse(text: string, bytes: Uint8Array, at: number): number | undefined {
    const tens = (bytes[at + SECOND_AT] ?? 0) - ZERO
    const ones = (bytes[at + SECOND_AT + 1] ?? 0) - ZERO
    const isNumber = tens >= 0 && tens <= 5 && ones >= 0 && ones <= 9
    if (isNumber && this.#isSameMinute(bytes, at)) return this.#minuteStart + tens * 10 + ones
    const seconds = parseClfTime(text, at)
    if (seconds !== undefined && isNumber) {
      this.#last.set(bytes.subarray(at, at + CLF_TIME_LENGTH))
      this.#minuteStart = seconds - tens * 10 - ones
    }
    return seconds
  }

  /** From behind: the minute changes first. */
  #isSameMinute(bytes: Uint8Array, at: number): boolean {
    const last = this.#last
    for (let index = SECOND_AT - 1; index >= 0; index--) if (bytes[at + index] !== last[index]) return false
    for (let index = SECOND_AT + 2; index < CLF_TIME_LENGTH; index++) {
      if (bytes[at + index] !== last[index]) return false
    }
    return true
  }
}

/** Where the second stands in `17/May/2015:10:05:03 +0000`. */
const SECOND_AT = 18

const PROTOCOL_LENGTH = ' HTTP/1.1'.length

/** From the end of the address to the time, and to the request, where there is no user. */
const TIME_OFFSET = ' - - ['.length
const REQUEST_OFFSET = TIME_OFFSET + CLF_TIME_LENGTH + '] "'.length

const SPACE = 0x20
const QUOTE = 0x22
const HYPHEN = 0x2d
const SLASH = 0x2f
const ZERO = 0x30
const NINE = 0x39
const LETTER_A = 0x41
const LETTER_G = 0x47
const LETTER_H = 0x48
const LETTER_M = 0x4d
const LETTER_P = 0x50
const LETTER_T = 0x54
const LETTER_U = 0x55
const LETTER_Z = 0x5a
/** The bit that tells a small letter. */
const CASE = 0x20
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d

/** Whether ` - - [` stands at `at`. */
function hasNoUser(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at + 1] === HYPHEN &&
    bytes[at + 2] === SPACE &&
    bytes[at + 3] === HYPHEN &&
    bytes[at + 4] === SPACE &&
    bytes[at + 5] === OPENING_BRACKET
  )
}

function isQuoteAfterSpace(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === SPACE && bytes[at + 1] === QUOTE
}

/** Index after the capitals at `start`. */
function findMethodEnd(bytes: Uint8Array, start: number): number {
  let end = start
  for (let byte = bytes[end]; byte !== undefined && byte >= LETTER_A && byte <= LETTER_Z; byte = bytes[end]) end += 1
  return end
}

/** Whether ` /` stands at `start` and ` HTTP/1.1`, in any version, before `end`. */
function isPathAndProtocol(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    bytes[start] === SPACE &&
    bytes[start + 1] === SLASH &&
    end - start >= ' / HTTP/1.1'.length &&
    bytes[end - 9] === SPACE &&
    bytes[end - 8] === LETTER_H &&
    bytes[end - 7] === LETTER_T &&
    bytes[end - 6] === LETTER_T &&
    bytes[end - 5] === LETTER_P &&
    bytes[end - 4] === SLASH
  )
}

/** Whether ` 200 5123` or ` 304 -` reaches from `start` to the space at `end`. */
function isAnswer(bytes: Uint8Array, start: number, end: number): boolean {
  const isStatus = isDigit(bytes[start + 1]) && isDigit(bytes[start + 2]) && isDigit(bytes[start + 3])
  if (!isStatus || bytes[start] !== SPACE || bytes[start + 4] !== SPACE || bytes[end] !== SPACE) return false
  let at = start + 5
  if (bytes[at] === HYPHEN) return at + 1 === end
  while (at < end && isDigit(bytes[at])) at += 1
  return at === end && end > start + 5
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function toStatus(bytes: Uint8Array, at: number): number {
  const [hundreds = 0, tens = 0, ones = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]]
  return hundreds * 100 + tens * 10 + ones - ZERO * 111
}

/** Whether `utm` stands between `start` and `end`, in capitals or not. */
function hasUtm(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at + 2 < end; at++) {
    if (isLetter(bytes[at], LETTER_U) && isLetter(bytes[at + 1], LETTER_T) && isLetter(bytes[at + 2], LETTER_M))
      return true
  }
  return false
}

function isLetter(byte: number | undefined, capital: number): boolean {
  return byte !== undefined && (byte & ~CASE) === capital
}

/** What stands in the quotes that begin after a space at `start` and end at `end`. */
function findLastQuoted(text: string, bytes: Uint8Array, start: number, end: number): string | undefined {
  const isWhole = isQuoteAfterSpace(bytes, start) && text.indexOf('"', start + 2) === end - 1
  return isWhole ? orNothing(text.substring(start + 2, end - 1)) : undefined
}
