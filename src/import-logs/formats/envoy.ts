import { type JsonFields, parseJsonLine } from './json-line.ts'
import type { ParseLine, Parsed } from './log-line.ts'
import { isBlank, orNothing, toHost, withoutPort } from './log-text.ts'
import { parseIsoTime } from './log-time.ts'
import { splitTwoQuoted } from './quoted.ts'
import { parseRequestLine } from './request-line.ts'

/** Envoy's log as it is, as Istio and as Envoy Gateway set it up; text and JSON are told apart line by line. */
export function defineEnvoyReader(fields: JsonFields): ParseLine {
  return (line, wrappedAt) => {
    if (isBlank(line)) return undefined
    return line.startsWith('{') ? parseJsonLine(line, fields, wrappedAt) : parseEnvoyText(line)
  }
}

/**
 * `[TIME] "REQUEST" STATUS FLAGS … BYTES BYTES DURATION … "X-FORWARDED-FOR" "USER AGENT" "REQUEST ID" "HOST" "UPSTREAM"`;
 * behind it Istio writes the client's address. Envoy escapes nothing: a line in which a client's quotes allow a second
 * reading is rejected. There is no referer.
 */
function parseEnvoyText(line: string): Parsed {
  const head = HEAD.exec(line)
  const timeSeconds = parseIsoTime(head?.[1] ?? '')
  if (head === null || timeSeconds === undefined) return { reject: 'no [time], request and status at the start' }
  const tail = TAIL.exec(line)
  if (tail === null) return { reject: 'no request id, host and upstream at the end' }
  const counts = COUNTS.exec(line.slice(head[0].length, tail.index))
  const fields = counts === null ? undefined : splitTwoQuoted(counts[1] ?? '')
  if (fields === undefined) return { reject: "X-Forwarded-For and user agent can't be told apart" }
  const request = parseRequestLine(head[2] ?? '', 0, (head[2] ?? '').length)
  return {
    timeSeconds,
    method: request.method,
    path: request.path,
    query: request.query,
    status: Number(head[3]),
    userAgent: fields[1],
    referer: '',
    address: withoutPort(orNothing(tail[2] ?? '')),
    forwardedFor: fields[0],
    host: toHost(tail[1] ?? '') || request.host,
  }
}

const HEAD = /^\[(\d{4}-\d\d-\d\dT[^\]\s]+)\] "([^"]*)" (\d{1,3}) /
/** Request id, host, upstream; then cluster, local address, the address connected to, the client's, server name, route. */
const TAIL = / "[^" ]*" "([^" ]*)" "[^" ]*"(?: \S+ \S+ \S+ (\S+) \S+ \S+)?$/
/** Flags and, with Istio, details, ahead of bytes received and sent, duration and the upstream's time. */
const COUNTS = /^(?:\S+ )+?(?:"[^"]*" ){0,2}\d+ \d+ (?:\d+|-) (?:\d+|-) (".*)$/
