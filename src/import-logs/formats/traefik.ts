import { parseClfHead } from './clf.ts'
import { type JsonFields, parseJsonLine } from './json-line.ts'
import type { ParseLine, Parsed } from './log-line.ts'
import { isBlank, orNothing } from './log-text.ts'
import { splitTwoQuoted } from './quoted.ts'

/** Traefik's log in either of its formats, told apart line by line. */
export function defineTraefikReader(fields: JsonFields): ParseLine {
  return (line, wrappedAt) => {
    if (isBlank(line)) return undefined
    return line.startsWith('{') ? parseJsonLine(line, fields, wrappedAt) : parseTraefikClf(line)
  }
}

/**
 * Traefik's own common log format: combined, followed by `COUNT "ROUTER" "SERVER" 12ms`. Traefik escapes nothing: a line
 * in which a client's quotes allow a second reading is rejected.
 */
function parseTraefikClf(line: string): Parsed {
  const head = parseClfHead(line, 0)
  if ('reject' in head) return head
  const tail = TAIL.exec(line.slice(head.end))
  if (tail === null) return { reject: 'no count, router, server and duration at the end' }
  const fields = splitTwoQuoted(line.slice(head.end + 1, head.end + tail.index))
  if (fields === undefined) return { reject: "referer and user agent can't be told apart" }
  return {
    timeSeconds: head.timeSeconds,
    method: head.request.method,
    path: head.request.path,
    query: head.request.query,
    status: head.status,
    userAgent: fields[1],
    referer: fields[0],
    address: orNothing(head.address),
    forwardedFor: '',
    host: head.request.host,
  }
}

const TAIL = / (?:\d+|-) (?:"[^"]*"|-) (?:"[^"]*"|-) \d+ms$/
