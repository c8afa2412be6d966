import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiError } from '../errors.ts'
import type { StartedWork } from '../lake/read/work.ts'
import type { Caller } from './access.ts'
import type { AnswerFormat } from './accept.ts'
import type { RateState } from './rate-limit.ts'

/** One request with its answer, from the first byte to the line in the log. */
export interface Exchange {
  /** Sent as `X-Request-Id`. */
  readonly id: string
  /** On the monotonic clock. */
  readonly startedMs: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Address of the client (client-address.ts). */
  readonly client: string | null
  /** Id of the key that was in the URL, where it is one that works. */
  keyIdInUrl?: string
  /** Id of the operator's key, where one is asked for. */
  operatorKeyId?: string
  /** Path and query string as they were sent, undecoded. Never logged. */
  readonly target: Target
  /** Tells a client that waits for it to send the body. */
  readonly sendContinue: () => void
  /** Path template of the endpoint. */
  route?: string
  caller?: Caller
  rate?: RateState
  /** Begun when the body is there, stopped when the client goes away. */
  work?: StartedWork
  siteId?: string
  /** Sent as `Set-Cookie`; of the dashboard's answers alone. */
  cookie?: string
  /** Why somebody wasn't signed in, for the log alone. */
  refusal?: string
  /** What lies behind an answer of 500 and above. */
  cause?: unknown
  /** What ended an answer of 200 before its end. */
  brokenOff?: ApiError
  /** In what form the answer is wanted, of a list or report. */
  format?: AnswerFormat
  /** Bytes of the body that was sent. */
  bodyBytes?: number
  /** Status of the refusal that was written past the response, when the rest of the request was no HTTP. */
  refusedWith?: number
}

export interface Target {
  /** Host and user info of an absolute target; empty for an ordinary one. */
  readonly authority: string
  readonly path: string
  readonly query: string
}

/** Splits a request target; the absolute form that proxies send is taken too. */
export function parseTarget(url: string): Target {
  const origin = /^https?:\/\/([^/?]*)/i.exec(url)
  const rest = origin === null ? url : url.slice(origin[0].length).replace(/^(?!\/)/, '/')
  const [path = '', ...query] = rest.split('?')
  return { authority: origin?.[1] ?? '', path, query: query.join('?') }
}

/** True for a path without empty segments, dots, backslashes and `#`; libraries rewrite others, and the API knows none. */
export function isPlainPath(path: string): boolean {
  const [, ...segments] = path.split('/')
  return segments.every((segment) => !/^(\.|%2e){0,2}$/i.test(segment) && !/[\\#]/.test(segment))
}
