import { pino } from 'pino'
import type { Clock } from '../clock.ts'
import { toTimestamp } from '../clock.ts'
import type { LogLevel } from '../settings.ts'
import type { Exchange } from './exchange.ts'

/** Where log lines go; standard error in production. */
export interface LogSink {
  write(line: string): unknown
}

export interface RequestLog {
  /** One line for a request that is over. */
  request(exchange: Exchange): void
  /** One line for a request that Node refused before it became one. */
  refused(requestId: string, status: number, reason: string): void
  /** One line for work beside the requests that failed. */
  failed(what: string, cause: unknown): void
}

/**
 * One JSON line a request, without URL, query string, headers or body; whatever looks like an API key is blotted out
 * wherever it stands.
 */
export function createRequestLog(sink: LogSink, { clock, level }: { clock: Clock; level: LogLevel }): RequestLog {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${toTimestamp(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => sink.write(line.replaceAll(/(al[ko]_)[0-9A-Za-z]+/gi, '$1[redacted]')) },
  )
  return {
    request(exchange) {
      const { request, response, caller, brokenOff } = exchange
      const cause = exchange.cause ?? brokenOff?.cause ?? brokenOff
      // The client went away before the answer: nothing was sent, whatever status was meant.
      const isAnswered = response.writableFinished || brokenOff !== undefined
      const status = exchange.refusedWith ?? (isAnswered ? response.statusCode : CLIENT_CLOSED)
      const line = {
        request_id: exchange.id,
        method: request.method,
        route: exchange.route ?? null,
        status,
        ms: Math.round((performance.now() - exchange.startedMs) * 10) / 10,
        bytes: exchange.bodyBytes ?? 0,
        client: exchange.client,
        key_id: keyIdOf(exchange),
        org_id: caller?.organization.id ?? null,
        site_id: exchange.siteId ?? null,
        ...(caller !== undefined && 'user' in caller ? { user_id: caller.user.id } : {}),
        ...(exchange.refusal === undefined ? {} : { refusal: exchange.refusal }),
        ...(brokenOff === undefined ? {} : { error: brokenOff.code }),
      }
      if (Math.max(status, brokenOff?.status ?? 0) >= 500) logger.error({ ...line, err: cause }, 'request')
      else logger.info(line, 'request')
    },
    refused(requestId, status, reason) {
      logger.info({ request_id: requestId, status, reason }, 'refused')
    },
    failed(what, cause) {
      logger.error({ err: cause }, what)
    },
  }
}

function keyIdOf({ caller, operatorKeyId, keyIdInUrl }: Exchange): string | null {
  return (caller !== undefined && 'key' in caller ? caller.key.id : undefined) ?? operatorKeyId ?? keyIdInUrl ?? null
}

/** nginx's number for it; never sent. */
const CLIENT_CLOSED = 499
