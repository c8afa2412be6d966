import type { LogLine, ParseLine, Parsed, Rejected } from './log-line.ts'
import { findQuote, isBlank, orNothing, toHost, undoEscapes } from './log-text.ts'
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
  const isHost = VIRTUAL_HOST.test(line)
  if (!isHost || LIGHTTPD.test(line)) return { reject: 'no virtual host before the address' }
  return parseWithAgent(line, space + 1, toHost(line.substring(0, space)))
}

/** As `combined`, with the host in the place of the first `-`: lighttpd's own format, and OVH's. */
export const parseLighttpd: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const host = LIGHTTPD.exec(line)?.[1]
  if (host === undefined) return { reject: 'no host behind the address' }
  return parseWithAgent(line, 0, toHost(host))
}

/** Whether more follows the count of bytes: without it half a line looks like one of the common format. */
export function hasMoreThanCommon(line: string): boolean {
  const head = parseClfHead(line, 0)
  return !('reject' in head) && head.end < line.length
}

/** Whether three quoted texts stand side by side: referer, user agent and the whole `X-Forwarded-For`. */
export function hasForwardedFor(line: string): boolean {
  return THREE_QUOTED.test(line)
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
  if (timeStart <= addressEnd + 1 || addressEnd <= start || line.charCodeAt(timeStart - 1) !== OPENING_BRACKET)
    return NO_TIME
  const timeSeconds = parseClfTime(line, timeStart)
  if (timeSeconds === undefined) return NO_TIME
  const requestEnd = findQuote(line, timeEnd + 3)
  if (requestEnd === -1) return NO_REQUEST_END
  ANSWER.lastIndex = requestEnd
  const answer = ANSWER.exec(line)
  if (answer === null) return NO_STATUS
  return {
    address: line.substring(start, addressEnd),
    timeSeconds,
    request: parseRequestLine(line, timeEnd + 3, requestEnd),
    // Apache writes `-` where there was no answer.
    status: Number(orNothing(answer[1] ?? '')),
    end: ANSWER.lastIndex,
  }
}

/** A line of this family whose quoted fields are written with the escapes of nginx and Apache. */
function toLogLine(
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

const SPACE = 0x20
const QUOTE = 0x22
const OPENING_BRACKET = 0x5b
/** Status and count of bytes, behind the quote that ends the request. */
const ANSWER = /" (\d{3}|-) (?:\d+|-)(?= |$)/y

const THREE_QUOTED = /(?: "(?:[^"\\]|\\.)*"){3}(?: |$)/

const VIRTUAL_HOST = /^(?:[\w.*~-]+|\[[\da-fA-F:.]+\])(?::\d+)? (?!- )[\w.:-]+ /
const LIGHTTPD = /^(?=\S*\d)[\da-fA-F.:]+ (?=\S*[a-zA-Z])([\w-]+(?:\.[\w-]+)+\.?(?::\d+)?|localhost) /

const NO_TIME = { reject: 'no time like [17/May/2015:10:05:03 +0000] before the request' }
const NO_REQUEST_END = { reject: 'the request has no closing quote' }
const NO_STATUS = { reject: 'no status and count of bytes after the request' }
const NO_AGENT = { reject: 'no quoted referer and user agent after the count of bytes' }

function parseWithAgent(line: string, start: number, host: string): Parsed {
  const head = parseClfHead(line, start)
  if ('reject' in head) return head
  // Some servers write lines of the common format among them, about requests that were none.
  if (head.end === line.length) return toLogLine(line, head, host, '-', '-', '-')
  const refererStart = head.end + 2
  const refererEnd = isQuoteAfterSpace(line, head.end) ? findQuote(line, refererStart) : -1
  const agentStart = refererEnd + 3
  const agentEnd = refererEnd !== -1 && isQuoteAfterSpace(line, refererEnd + 1) ? findQuote(line, agentStart) : -1
  const isLast = agentEnd + 1 === line.length
  if (agentEnd === -1 || (!isLast && line.charCodeAt(agentEnd + 1) !== SPACE)) return NO_AGENT
  const hasForwarded = !isLast && isQuoteAfterSpace(line, agentEnd + 1)
  const forwardedEnd = hasForwarded ? findQuote(line, agentEnd + 3) : -1
  return toLogLine(
    line,
    head,
    host,
    line.substring(refererStart, refererEnd),
    line.substring(agentStart, agentEnd),
    forwardedEnd === -1 ? '' : line.substring(agentEnd + 3, forwardedEnd),
  )
}

function isQuoteAfterSpace(line: string, at: number): boolean {
  return line.charCodeAt(at) === SPACE && line.charCodeAt(at + 1) === QUOTE
}
