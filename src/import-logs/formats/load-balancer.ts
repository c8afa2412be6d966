import type { ParseLine, Parsed } from './log-line.ts'
import { findQuote, isBlank, orNothing, undoEscapes, withoutPort } from './log-text.ts'
import { parseIsoTime } from './log-time.ts'
import { parseRequestLine } from './request-line.ts'

/**
 * AWS Application Load Balancer: `TYPE TIME ELB CLIENT:PORT TARGET:PORT … STATUS STATUS … "REQUEST" "USER AGENT" …`, by
 * position; fields that AWS adds at the end are ignored. There is no referer. Quotes of clients are escaped as `\x22`.
 */
export const parseAlb: ParseLine = (line) => (isBlank(line) ? undefined : parseByPosition(line, ALB_HEAD.exec(line)))

/** AWS Classic Load Balancer: as ALB without the type. Quotes of clients are escaped as `\"`. */
export const parseElb: ParseLine = (line) => (isBlank(line) ? undefined : parseByPosition(line, ELB_HEAD.exec(line)))

const ELB_FIELDS = String.raw`(\S+) \S+ (\S+) \S+ \S+ \S+ \S+ (\d{3}|-|0) \S+ \S+ \S+ "`
const ALB_HEAD = new RegExp(`^(?:https?|h2|grpcs?|wss?) ${ELB_FIELDS}`)
const ELB_HEAD = new RegExp(`^${ELB_FIELDS}`)

/** `head` has time, client and status, and ends after the opening quote of the request. */
function parseByPosition(line: string, head: RegExpExecArray | null): Parsed {
  const timeSeconds = parseIsoTime(head?.[1] ?? '')
  if (head === null || timeSeconds === undefined) return { reject: 'no time, client and status at the known places' }
  const requestStart = head[0].length
  const requestEnd = findQuote(line, requestStart)
  const agentStart = requestEnd + 3
  const agentEnd = requestEnd !== -1 && line.startsWith('" "', requestEnd) ? findQuote(line, agentStart) : -1
  if (agentEnd === -1 || !/^ [^ "]+ [^ "]+(?: |$)/.test(line.slice(agentEnd + 1, agentEnd + 200))) {
    return { reject: 'no quoted request and user agent, then cipher and protocol, after the byte counts' }
  }
  const request = parseRequestLine(line, requestStart, requestEnd)
  return {
    timeSeconds,
    method: request.method,
    path: undoEscapes(request.path),
    query: undoEscapes(request.query),
    status: Number(orNothing(head[3] ?? '')),
    userAgent: undoEscapes(orNothing(line.slice(agentStart, agentEnd))),
    referer: '',
    address: withoutPort(orNothing(head[2] ?? '')),
    forwardedFor: '',
    host: request.host,
  }
}
