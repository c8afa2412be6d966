import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { REST_MS_MAX } from '../limits.ts'
import { FIXED_HEADERS, toErrorText } from './respond.ts'

/** An answer to what never became a request. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

export const HEADERS_TOO_LARGE = 'The request line and headers are over 16 KiB. Send fewer or shorter ones.'

/** What Node's parser, or we before routing, refuse, in the words of the API (contract/api 2.2). */
export function toRefusal(reason: string): Refusal {
  switch (reason) {
    case 'HPE_HEADER_OVERFLOW':
      return refusal('headers_too_large', HEADERS_TOO_LARGE)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refusal('invalid_request', 'The request did not arrive in time. Send it without pauses.')
    case 'connect':
      return {
        ...refusal('method_not_allowed', 'This server is no proxy. Use a method of the API.'),
        headers: { allow: 'GET, HEAD, POST, PATCH' },
      }
    default:
      return refusal('invalid_request', 'This is no valid HTTP request. Correct its syntax.')
  }
}

function refusal(code: ErrorCode, message: string): Refusal {
  return { status: ERRORS[code], code, message }
}

/** Writes the answer past Node's own machinery and closes the connection, on which nothing can be read any more. */
export function refuseRaw(socket: Duplex, requestId: string, { status, code, message, headers }: Refusal): void {
  const body = toErrorText(requestId, { code, message, details: undefined })
  const lines = Object.entries({
    ...FIXED_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  // Node has let go of some of these sockets; without a listener a reset would end the process.
  socket.once('error', () => socket.destroy())
  // Who doesn't close their side would keep half a connection for ever.
  const timer = setTimeout(() => socket.destroy(), REST_MS_MAX)
  socket.once('close', () => clearTimeout(timer))
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}
