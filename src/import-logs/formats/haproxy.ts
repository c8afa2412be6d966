import type { ParseLine } from './log-line.ts'
import { isBlank, orNothing, toHost, undoEscapes, withoutPort } from './log-text.ts'
import { parseClfTime } from './log-time.ts'
import { parseRequestLine } from './request-line.ts'

/**
 * HAProxy's `option httplog`: `CLIENT:PORT [TIME] FRONTEND BACKEND/SERVER TIMERS STATUS BYTES - - STATE COUNTS QUEUES
 * {CAPTURED|HEADERS} "REQUEST"`, times without a zone read as UTC. Which headers are captured stands in no line: a
 * captured `http…` is the referer, a host name the host, an address `X-Forwarded-For`, and the longest of the others the
 * user agent. Lines of connections that were no HTTP are no records.
 */
export const parseHaproxy: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const head = HEAD.exec(line)
  if (head === null) return /^\S+ \[/.test(line) ? { reject: 'no timers and status of HTTP' } : undefined
  const [, address = '', time = '', status = ''] = head
  const timeSeconds = parseClfTime(`${time} +0000`, 0)
  if (timeSeconds === undefined) return { reject: 'no time like [17/May/2015:10:05:03.123]' }
  const rest = line.slice(head[0].length)
  const requestEnd = rest.lastIndexOf('"')
  const requestStart = rest.lastIndexOf('"', requestEnd - 1)
  if (requestStart === -1) return { reject: 'no quoted request at the end' }
  const request = parseRequestLine(rest, requestStart + 1, requestEnd)
  const captured = CAPTURED.exec(rest.slice(0, requestStart))
  const { host, ...headers } = sortHeaders((captured?.[1] ?? '').split('|'))
  return {
    timeSeconds,
    method: request.method,
    path: request.path,
    query: request.query,
    status: Math.max(0, Number(status)),
    ...headers,
    address: withoutPort(orNothing(address)),
    host: host || request.host,
  }
}

const HEAD =
  /^(\S+) \[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d)(?:\.\d+)?\] \S+ \S+\/\S* [+-]?\d+(?:\/[+-]?\d+){3,6} (\d{3}|-1) \+?\d+ \S+ \S+ [A-Za-z-]{4} \d+(?:\/\+?\d+)+ \d+\/\d+ /
/** Headers of the request; those of the answer stand in braces behind them. */
const CAPTURED = /^\{([^{}]*)\}/
const HOST = /^(?=[^:]*[a-z])[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d+)?$/i
const ADDRESSES = /^[\da-f.:]+(?:, ?[\da-f.:]+)*$/i

function sortHeaders(values: readonly string[]) {
  const texts = values.map((value) => undoEscapes(orNothing(value))).filter((value) => value !== '')
  const referer = texts.find((text) => /^(?:https?|android-app):\/\//.test(text)) ?? ''
  const host = texts.find((text) => HOST.test(text)) ?? ''
  const forwardedFor = texts.find((text) => text !== host && ADDRESSES.test(text) && /[.:]/.test(text)) ?? ''
  const others = texts.filter((text) => text !== referer && text !== host && text !== forwardedFor)
  const userAgent = others.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
  return { referer, host: toHost(host), forwardedFor, userAgent }
}
