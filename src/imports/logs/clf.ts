import type { LogLine, ParseLine, Parsed, Rejected } from './log-line.ts'
import { findQuote, isBlank, orNothing, undoEscapes, withoutPort } from './log-text.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './log-time.ts'
import { parseRequestLine, type Request } from './request-line.ts'

/**
 * nginx's and Apache's `combined`: `ADDRESS - USER [TIME] "REQUEST" STATUS BYTES "REFERER" "USER AGENT"`. What follows
 * is ignored, but a quoted text right behind, as in nginx's sample configuration, is `X-Forwarded-For`.
 *
 * Clients choose user, request, referer and user agent; both servers escape the quotes in them.
 */
export const parseCombined: ParseLine = (line) => (isBlank(line) ? undefined : parseWithAgent(line, 0, ''))

/** As `combined`, without referer and user agent. */
export const parseCommon: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const head = parseClfHead(line, 0)
  if ('reject' in head) return head
  if (head.end !== line.length) return { reject: 'more fields than the common format has' }
  return toLogLine(line, head, '', '-', '-', '-')
}

/** As `combined`, behind the virtual host: `www.example.com:443 ADDRESS - …`. */
export const parseVhostCombined: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const space = line.indexOf(' ')
  // In a line of plain `combined` the first word is the address and `-` comes next.
  if (space === -1 || line.startsWith('- ', space + 1)) return { reject: 'no virtual host before the address' }
  return parseWithAgent(line, space + 1, withoutPort(line.substring(0, space)))
}

/** What all of this family begin with. */
export interface ClfHead {
  readonly address: string
  readonly timeSeconds: number
  readonly request: Request
  readonly status: number
  /** Index after the count of bytes. */
  readonly end: number
}

/** Reads `ADDRESS - USER [TIME] "REQUEST" STATUS BYTES` from `start` on. */
export function parseClfHead(line: string, start: number): ClfHead | Rejected {
  const addressEnd = line.indexOf(' ', start)
  // The user may hold brackets and spaces, but no bare quote: the first `] "` ends the time.
  const timeEnd = line.indexOf('] "', start)
  const timeStart = timeEnd - CLF_TIME_LENGTH
  if (timeStart <= addressEnd + 1 || addressEnd <= start || line.charCodeAt(timeStart - 1) !== OPENING) return NO_TIME
  const timeSeconds = parseClfTime(line, timeStart)
  if (timeSeconds === undefined) return NO_TIME
  const requestEnd = findQuote(line, timeEnd + 3)
  if (requestEnd === -1) return NO_REQUEST_END
  // Apache writes `-` where there was no answer.
  const isUnanswered = line.charCodeAt(requestEnd + 2) === HYPHEN && line.charCodeAt(requestEnd + 1) === SPACE
  const status = isUnanswered ? 0 : parseStatus(line, requestEnd + 1)
  const end = findBytesEnd(line, requestEnd + (isUnanswered ? 4 : 6))
  if (status === undefined || end === -1) return NO_STATUS
  return {
    address: line.substring(start, addressEnd),
    timeSeconds,
    request: parseRequestLine(line, timeEnd + 3, requestEnd),
    status,
    end,
  }
}

/** A line of this family whose quoted fields are written with the escapes of nginx and Apache. */
export function toLogLine(
  line: string,
  head: ClfHead,
  host: string,
  referer: string,
  userAgent: string,
  forwardedFor: string,
): LogLine {
  const { request, address, timeSeconds, status } = head
  const hasEscapes = line.indexOf('\\') !== -1
  return {
    timeSeconds,
    method: request.method,
    path: hasEscapes ? undoEscapes(request.path) : request.path,
    query: hasEscapes ? undoEscapes(request.query) : request.query,
    status,
    userAgent: hasEscapes ? undoEscapes(orNothing(userAgent)) : orNothing(userAgent),
    referer: hasEscapes ? undoEscapes(orNothing(referer)) : orNothing(referer),
    address: orNothing(address),
    forwardedFor: orNothing(forwardedFor),
    host: host === '' ? request.host : host,
  }
}

/**
 * The usual line of `combined` in place, several times faster than `parseCombined`: no user, no escapes, nothing behind
 * the user agent but `X-Forwarded-For`. Undefined is any other line, which `parseCombined` then reads or rejects.
 */
export function parseUsualCombined(text: string, start: number, end: number): LogLine | undefined {
  const addressEnd = text.indexOf(' ', start)
  const requestStart = addressEnd + REQUEST_OFFSET
  if (!hasNoUser(text, addressEnd) || !isQuoteAfterSpace(text, requestStart - 2)) return undefined
  const requestEnd = text.indexOf('"', requestStart)
  const refererStart = text.indexOf('"', requestEnd + 6) + 1
  const refererEnd = text.indexOf('"', refererStart)
  const agentStart = refererEnd + 3
  const agentEnd = text.indexOf('"', agentStart)
  const isInOrder =
    requestEnd < refererStart - 2 && refererStart <= refererEnd && agentStart <= agentEnd && agentEnd < end
  if (!isInOrder || !isQuoteAfterSpace(text, refererEnd + 1)) return undefined
  const forwardedFor = agentEnd + 1 === end ? '' : findLastQuoted(text, agentEnd + 1, end)
  const timeSeconds = text.charCodeAt(requestStart - 3) === CLOSING ? parseClfTime(text, addressEnd + 6) : undefined
  const status = parseStatus(text, requestEnd + 1)
  const bytesEnd = findBytesEnd(text, requestEnd + 6)
  if (timeSeconds === undefined || status === undefined || forwardedFor === undefined) return undefined
  if (bytesEnd !== refererStart - 2 || text.substring(requestStart, end).indexOf('\\') !== -1) return undefined
  const { method, path, query, host } = parseRequestLine(text, requestStart, requestEnd)
  return {
    timeSeconds,
    method,
    path,
    query,
    status,
    userAgent: orNothing(text.substring(agentStart, agentEnd)),
    referer: orNothing(text.substring(refererStart, refererEnd)),
    address: orNothing(text.substring(start, addressEnd)),
    forwardedFor,
    host,
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const HYPHEN = 0x2d
const OPENING = 0x5b
const CLOSING = 0x5d
const ZERO = 0x30
const NINE = 0x39

/** From the end of the address to the request, where there is no user: ` - - [TIME] "`. */
const REQUEST_OFFSET = ' - - ['.length + CLF_TIME_LENGTH + '] "'.length

const NO_TIME = { reject: 'no time like [17/May/2015:10:05:03 +0000] before the request' }
const NO_REQUEST_END = { reject: 'the request has no closing quote' }
const NO_STATUS = { reject: 'no status and count of bytes after the request' }
const NO_AGENT = { reject: 'no quoted referer and user agent after the count of bytes' }

function parseWithAgent(line: string, start: number, host: string): Parsed {
  const head = parseClfHead(line, start)
  if ('reject' in head) return head
  const refererStart = head.end + 2
  const refererEnd = isQuoteAfterSpace(line, head.end) ? findQuote(line, refererStart) : -1
  const agentStart = refererEnd + 3
  const agentEnd = refererEnd !== -1 && isQuoteAfterSpace(line, refererEnd + 1) ? findQuote(line, agentStart) : -1
  const isLast = agentEnd + 1 === line.length
  if (agentEnd === -1 || (!isLast && line.charCodeAt(agentEnd + 1) !== SPACE)) return NO_AGENT
  const hasForwarded = !isLast && isQuoteAfterSpace(line, agentEnd + 1)
  return toLogLine(
    line,
    head,
    host,
    line.substring(refererStart, refererEnd),
    line.substring(agentStart, agentEnd),
    hasForwarded ? line.substring(agentEnd + 3, findQuote(line, agentEnd + 3)) : '',
  )
}

function isQuoteAfterSpace(line: string, at: number): boolean {
  return line.charCodeAt(at) === SPACE && line.charCodeAt(at + 1) === QUOTE
}

/** Whether ` - - [` stands at `at`. */
function hasNoUser(text: string, at: number): boolean {
  return (
    text.charCodeAt(at + 1) === HYPHEN &&
    text.charCodeAt(at + 2) === SPACE &&
    text.charCodeAt(at + 3) === HYPHEN &&
    text.charCodeAt(at + 4) === SPACE &&
    text.charCodeAt(at + 5) === OPENING
  )
}

/** What stands in the quotes that begin after a space at `start` and end at `end`. */
function findLastQuoted(text: string, start: number, end: number): string | undefined {
  const isWhole = isQuoteAfterSpace(text, start) && text.indexOf('"', start + 2) === end - 1
  return isWhole ? orNothing(text.substring(start + 2, end - 1)) : undefined
}

/** The three digits of a status after a space and before another one. */
function parseStatus(line: string, at: number): number | undefined {
  const hundreds = line.charCodeAt(at + 1) - ZERO
  const tens = line.charCodeAt(at + 2) - ZERO
  const ones = line.charCodeAt(at + 3) - ZERO
  const isNumber = hundreds >= 0 && hundreds <= 9 && tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9
  const isApart = line.charCodeAt(at) === SPACE && line.charCodeAt(at + 4) === SPACE
  return isNumber && isApart ? hundreds * 100 + tens * 10 + ones : undefined
}

/** Index after the number or `-` that begins at `start` and ends with a space or the line; -1 when there is none. */
function findBytesEnd(line: string, start: number): number {
  let end = start
  if (line.charCodeAt(end) === HYPHEN) end += 1
  else while (line.charCodeAt(end) >= ZERO && line.charCodeAt(end) <= NINE) end += 1
  const isApart = end === line.length || line.charCodeAt(end) === SPACE
  return end > start && isApart ? end : -1
}
