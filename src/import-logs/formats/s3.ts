import type { ParseLine, Rejected } from './log-line.ts'
import { isBlank, orNothing } from './log-text.ts'
import { CLF_TIME_LENGTH, parseClfTime } from './log-time.ts'
import { splitTwoQuoted } from './quoted.ts'
import { NO_REQUEST, parseRequestLine } from './request-line.ts'

/**
 * Amazon S3 server access logs: `OWNER BUCKET [TIME] ADDRESS REQUESTER ID OPERATION KEY "REQUEST" STATUS … "REFERER"
 * "USER AGENT" VERSION …`. S3 escapes nothing and writes absent fields as `-` or `"-"`; a line in which a client's quotes
 * allow a second reading is rejected. Fields that were added at the end over the years are ignored.
 */
export const parseS3: ParseLine = (line) => {
  if (isBlank(line)) return undefined
  const head = HEAD.exec(line)
  const timeSeconds = head === null ? undefined : parseClfTime(head[1] ?? '', 0)
  if (head === null || timeSeconds === undefined) return { reject: 'no bucket, [time] and address at the start' }
  const quoted = head[3] === '"'
  const answer = (quoted ? ANSWER : ANSWER_TO_NOTHING).exec(line.slice(head[0].length))
  if (answer === null) return { reject: 'no status and sizes after the request' }
  const request = quoted ? parseRequestLine(answer[1] ?? '', 0, (answer[1] ?? '').length) : NO_REQUEST
  const client = parseClient(line.slice(head[0].length + answer[0].length))
  if ('reject' in client) return client
  return {
    timeSeconds,
    method: request.method,
    path: request.path,
    query: request.query,
    status: Number(orNothing(answer[2] ?? '')),
    userAgent: client.userAgent,
    referer: client.referer,
    address: orNothing(head[2] ?? ''),
    forwardedFor: '',
    host: request.host,
  }
}

const HEAD = new RegExp(String.raw`^\S+ \S+ \[([^\]]{${CLF_TIME_LENGTH}})\] (\S+) \S+ \S+ \S+ \S+ (["-])`)
/** Status, error code, bytes, object size, total time, turn-around time. The request ends with its protocol. */
const ANSWER = /^([^ ]+ .*? HTTP\/[\d.]+|-|)" (\d{3}|-) \S+ \S+ \S+ \S+ \S+ /
const ANSWER_TO_NOTHING = /^( )(\d{3}|-) \S+ \S+ \S+ \S+ \S+ /

/** Referer and user agent at the start of `rest`, each quoted or `-`; no field behind them has quotes. */
function parseClient(rest: string): { readonly referer: string; readonly userAgent: string } | Rejected {
  const end = Math.max(rest.lastIndexOf('"') + 1, rest.startsWith('- - ') ? 3 : 0)
  const fields =
    splitTwoQuoted(rest.slice(0, end)) ??
    (rest.startsWith(' - ', end) ? splitTwoQuoted(`${rest.slice(0, end)} -`) : undefined)
  if (fields === undefined) return { reject: "referer and user agent can't be told apart" }
  return { referer: fields[0], userAgent: fields[1] }
}
