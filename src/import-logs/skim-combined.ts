import { isAscii } from 'node:buffer'
import { LOG_SECONDS_MAX } from '../log-limits.ts'
import type { Classification } from './classify.ts'
import { orNothing } from './formats/log-text.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './formats/log-time.ts'

/**
 * Tells lines of `combined` logs that are sure to be ignored, without making a text of each: most are of people whom no
 * engine has sent. Gives the index of the `\n` that ends the line at `start`; -1 where the line must be read, since it may
 * count, be rejected, or is written in another way than a server writes by default. `text` is `bytes` as latin1 and ends with `\n`.
 */
export type Skim = (text: string, start: number, bytes: Buffer) => number

export function createSkim({ findAgent, isEngineOrigin }: Classification): Skim {
  const agents = new PieceMemo((agent) => {
    const { bot, isCrawler } = findAgent(orNothing(agent))
    if (bot || agent.includes('\n')) return TO_BE_READ
    return isCrawler ? CRAWLER : PERSON
  })
  const origins = new PieceMemo((origin) => (origin.includes('//') && !isEngineOrigin(origin) ? NO_ENGINE : TO_BE_READ))
  const minute = new Int32Array(MINUTE_AND_ZONE.length)
  let piece: Buffer | undefined
  let view: DataView = new DataView(new ArrayBuffer(0))
  /** From `start` on, the next character that is not ASCII or may escape another. */
  let odd = 0

  function startPiece(text: string, bytes: Buffer): void {
    piece = bytes
    view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    odd = isAscii(bytes) && !text.includes('\\') ? text.length : -1
  }

  /** Whether a time that can be read stands at `at`. Neighbouring lines share all but their seconds. */
  function isTime(text: string, at: number): boolean {
    for (let no = 0; no < minute.length; no++) {
      if (minute[no] !== view.getInt32(at + (MINUTE_AND_ZONE[no] ?? 0), true)) return startMinute(text, at)
    }
    const tens = view.getUint8(at + SECONDS_AT)
    return tens >= ZERO && tens < ZERO + 6 && isDigit(view.getUint8(at + SECONDS_AT + 1))
  }

  function startMinute(text: string, at: number): boolean {
    const seconds = parseClfTime(text, at)
    // All seconds of the minute lie between these.
    if (seconds === undefined || seconds < 60 || seconds > LOG_SECONDS_MAX - 60) return false
    for (const [no, offset] of MINUTE_AND_ZONE.entries()) minute[no] = view.getInt32(at + offset, true)
    return true
  }

  return (text, start, bytes) => {
    if (bytes !== piece) startPiece(text, bytes)
    if (odd < start) odd = findOdd(text, start)
    if (!isDigit(bytes[start] ?? 0)) return -1
    let at = start
    while (isAddressByte(bytes[at] ?? 0)) at += 1
    if (bytes[at] !== SPACE || bytes[at + 1] !== DASH || bytes[at + 2] !== SPACE) return -1
    at += 3
    while (isUserByte(bytes[at] ?? 0)) at += 1
    // A `T` there may be that of a time, which a collector puts before the line.
    if (bytes[at] !== SPACE || bytes[at + 1] !== OPENING_BRACKET || bytes[start + 10] === CAPITAL_T) return -1
    at += 2
    if (at + CLF_TIME_LENGTH + 3 >= bytes.length || !isTime(text, at)) return -1
    at += CLF_TIME_LENGTH
    if (bytes[at] !== CLOSING_BRACKET || bytes[at + 1] !== SPACE || bytes[at + 2] !== QUOTE) return -1
    at += 3
    while (isCapital(bytes[at] ?? 0)) at += 1
    // Any other target may name a host.
    if (bytes[at] !== SPACE || bytes[at + 1] !== SLASH) return -1
    let hasQuery = false
    for (; isWithinQuotes(bytes[at] ?? 0); at++) {
      if (bytes[at] === QUESTION_MARK) hasQuery = true
      // It may be that of `utm_source`.
      else if (hasQuery && bytes[at] === UNDERSCORE) return -1
    }
    if (bytes[at] !== QUOTE || bytes[at + 1] !== SPACE) return -1
    at += 2
    if (!isDigit(bytes[at] ?? 0) || !isDigit(bytes[at + 1] ?? 0) || !isDigit(bytes[at + 2] ?? 0)) return -1
    if (bytes[at + 3] !== SPACE) return -1
    at += 4
    const countStart = at
    while (isDigit(bytes[at] ?? 0)) at += 1
    if (at === countStart && bytes[at] === DASH) at += 1
    if (at === countStart || bytes[at] !== SPACE || bytes[at + 1] !== QUOTE) return -1
    at += 2
    const refererStart = at
    for (let slashes = 0; isWithinQuotes(bytes[at] ?? 0); at++) if (bytes[at] === SLASH && ++slashes === 3) break
    const originEnd = at
    while (isWithinQuotes(bytes[at] ?? 0)) at += 1
    if (bytes[at] !== QUOTE || bytes[at + 1] !== SPACE || bytes[at + 2] !== QUOTE) return -1
    const hasReferer = at !== refererStart && (at !== refererStart + 1 || bytes[refererStart] !== DASH)
    const agentStart = at + 3
    const agentEnd = text.indexOf('"', agentStart)
    if (agentEnd === -1) return -1
    at = agentEnd + 1
    // What follows is not read.
    if (bytes[at] === SPACE) at = text.indexOf('\n', at)
    if (bytes[at] !== NEWLINE || at > odd || at - start > LINE_BYTES_MAX) return -1
    const agent = agents.find(text, agentStart, agentEnd, view)
    if (agent === CRAWLER) return at
    if (agent !== PERSON) return -1
    return hasReferer && origins.find(text, refererStart, originEnd, view) !== NO_ENGINE ? -1 : at
  }
}

const TO_BE_READ = 0
const PERSON = 1
const CRAWLER = 2
const NO_ENGINE = 1

/** Where words of four bytes begin in `17/May/2015:10:05:03 +0000` that hold all of it but the seconds. */
const MINUTE_AND_ZONE = [0, 4, 8, 12, 14, 20, 22]
const SECONDS_AT = 18
/** Longer lines are read; so nothing long is remembered. */
const LINE_BYTES_MAX = 2 * 1_024

/** Remembers what `compute` gave for pieces of a text; one that falls into the slot of another replaces it. */
class PieceMemo {
  readonly #compute: (piece: string) => number
  readonly #slots: ({ readonly words: Int32Array; readonly bytes: number; readonly value: number } | undefined)[]

  constructor(compute: (piece: string) => number) {
    this.#compute = compute
    this.#slots = Array.from({ length: SLOTS })
  }

  /** 0 for what is shorter than a word. */
  find(text: string, start: number, end: number, view: DataView): number {
    const last = end - WORD_BYTES
    if (last < start) return 0
    let hash = view.getInt32(last, true)
    for (let at = start; at < last; at += WORD_BYTES) hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e37_79b1)
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    const known = this.#slots[slot]
    if (known !== undefined && known.bytes === end - start && isSame(known.words, start, last, view)) return known.value
    const words = new Int32Array(Math.ceil((last - start) / WORD_BYTES) + 1)
    for (let no = 0; no < words.length; no++) words[no] = view.getInt32(Math.min(start + no * WORD_BYTES, last), true)
    const value = this.#compute(text.slice(start, end))
    this.#slots[slot] = { words, bytes: end - start, value }
    return value
  }
}

const WORD_BYTES = 4
const SLOTS = 16_384

/** Whether the words are those from `start` to the last one, which may share bytes with the one before. */
function isSame(words: Int32Array, start: number, last: number, view: DataView): boolean {
  let no = 0
  for (let at = start; at < last; at += WORD_BYTES) {
    if (words[no] !== view.getInt32(at, true)) return false
    no += 1
  }
  return words[no] === view.getInt32(last, true)
}

function findOdd(text: string, start: number): number {
  ODD.lastIndex = start
  return ODD.exec(text)?.index ?? text.length
}

const ODD = /[\\\u0080-\u00ff]/g

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a
}

/** Of an address without port. */
function isAddressByte(byte: number): boolean {
  return isDigit(byte) || byte === DOT || byte === COLON || (byte >= 0x61 && byte <= 0x66)
}

function isUserByte(byte: number): boolean {
  return byte > SPACE && byte !== QUOTE && byte !== OPENING_BRACKET && byte !== CLOSING_BRACKET
}

function isWithinQuotes(byte: number): boolean {
  return byte >= SPACE && byte !== QUOTE
}

const NEWLINE = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const DASH = 0x2d
const DOT = 0x2e
const SLASH = 0x2f
const ZERO = 0x30
const COLON = 0x3a
const QUESTION_MARK = 0x3f
const CAPITAL_T = 0x54
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const UNDERSCORE = 0x5f
