import type { LogLine } from './log-line.ts'
import { orNothing } from './log-text.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './log-time.ts'
import { splitTarget } from './request-line.ts'

/**
 * Reads in place what nearly every line of a `combined` log is: no user, the request of a path, nothing escaped, nothing
 * behind the user agent but `X-Forwarded-For`. Undefined is any other line; `parseCombined` reads or rejects those, and
 * reads all lines as this does.
 *
 * `bytes` are those of `text`, one a character: looking at single bytes costs a fraction of looking at characters.
 */
export function parseUsualCombined(text: string, start: number, end: number, bytes: Uint8Array): LogLine | undefined {
  const addressEnd = text.indexOf(' ', start)
  const requestStart = addressEnd + REQUEST_OFFSET
  if (!hasNoUser(bytes, addressEnd) || bytes[requestStart - 3] !== CLOSING_BRACKET) return undefined
  const requestEnd = text.indexOf('"', requestStart)
  const refererStart = text.indexOf('"', requestEnd + 1) + 1
  const refererEnd = text.indexOf('"', refererStart)
  const agentStart = refererEnd + 3
  const agentEnd = text.indexOf('"', agentStart)
  if (requestEnd >= refererStart || refererStart > refererEnd || agentStart > agentEnd || agentEnd >= end)
    return undefined
  if (!isQuoteAfterSpace(bytes, requestStart - 2) || !isQuoteAfterSpace(bytes, refererEnd + 1)) return undefined
  const methodEnd = findMethodEnd(bytes, requestStart)
  if (
    methodEnd === requestStart ||
    !isPathAndProtocol(bytes, methodEnd, requestEnd) ||
    !isAnswer(bytes, requestEnd + 1, refererStart - 2)
  )
    return undefined
  if (text.substring(requestStart, end).indexOf('\\') !== -1) return undefined
  const forwardedFor = agentEnd + 1 === end ? '' : findLastQuoted(text, bytes, agentEnd + 1, end)
  const timeSeconds = parseClfTime(text, addressEnd + TIME_OFFSET)
  if (timeSeconds === undefined || forwardedFor === undefined) return undefined
  // No other method has three letters and this one first.
  const isGet = methodEnd - requestStart === 3 && bytes[requestStart] === LETTER_G
  const method = isGet ? 'GET' : text.substring(requestStart, methodEnd)
  const { path, query } = splitTarget(method, text.substring(methodEnd + 1, requestEnd - 9), '')
  return {
    timeSeconds,
    method,
    path,
    query,
    status: toStatus(bytes, requestEnd + 2),
    userAgent: orNothing(text.substring(agentStart, agentEnd)),
    referer: orNothing(text.substring(refererStart, refererEnd)),
    address: orNothing(text.substring(start, addressEnd)),
    forwardedFor,
    host: '',
  }
}

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
const LETTER_P = 0x50
const LETTER_T = 0x54
const LETTER_Z = 0x5a
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

/** What stands in the quotes that begin after a space at `start` and end at `end`. */
function findLastQuoted(text: string, bytes: Uint8Array, start: number, end: number): string | undefined {
  const isWhole = isQuoteAfterSpace(bytes, start) && text.indexOf('"', start + 2) === end - 1
  return isWhole ? orNothing(text.substring(start + 2, end - 1)) : undefined
}
