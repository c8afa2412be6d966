/**
 * One request as a log line tells it. What the log leaves out or writes as `-` is `''`. The texts may be windows into a
 * whole chunk of the file: keep them with `detachString`.
 */
export interface LogLine {
  /** Whole seconds since 1970, UTC. */
  readonly timeSeconds: number
  /** `''` when what the client sent was no HTTP request; then path and query are `''` too. */
  readonly method: string
  /** Without query and fragment, with the server's log escapes undone, percent-encoding as the client sent it. */
  readonly path: string
  /** Without `?`. */
  readonly query: string
  /** 0 when the log has none: the client was gone before there was an answer. */
  readonly status: number
  readonly userAgent: string
  readonly referer: string
  /** The client's address or, where the server looks names up, its name; without port. Never to be stored (contract/logs 7). */
  readonly address: string
  /** `X-Forwarded-For` as it came, which anyone can write. */
  readonly forwardedFor: string
  /** The host asked for, lower-case, without port; `''` where the line names none. */
  readonly host: string
}

/** Why a line is no record that can be read, in words for the operator. */
export interface Rejected {
  readonly reject: string
}

/** Undefined is no record: a blank line, a comment, a header, an entry about something else than a request. */
export type Parsed = LogLine | Rejected | undefined

/** `wrappedAt` is when a collector took the line, for records without a time of their own. */
export type ParseLine = (line: string, wrappedAt?: number) => Parsed

/** Tells a rejection from a line that was read. */
export function isRejected(parsed: LogLine | Rejected): parsed is Rejected {
  return 'reject' in parsed
}
