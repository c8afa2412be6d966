import { pipeline, Readable } from 'node:stream'
import { HTTPResponse } from 'h3'
import { ApiError } from '../errors.ts'
import { COMPRESSED_BYTES_MIN } from '../limits.ts'
import { chooseEncoding, type Compressible, compressNow, type Encoding, STREAM_ENCODERS } from './compression.ts'
import type { Exchange } from './exchange.ts'
import { toLimitHeader, toPolicyHeader } from './rate-limit.ts'

/** What every answer carries, those of Node's own refusals too (contract/api 2.6). No CORS, on purpose. */
export const FIXED_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

const JSON_TYPE = 'application/json; charset=utf-8'

/** The answer 200 or 201 with a JSON body, compressed where the client takes it. */
export async function respondJson(exchange: Exchange, body: unknown, status: 200 | 201 = 200): Promise<HTTPResponse> {
  return respond(exchange, { status, text: JSON.stringify(body), type: JSON_TYPE })
}

/** A short text, for the health checks. */
export async function respondText(exchange: Exchange, status: number, text: string): Promise<HTTPResponse> {
  return respond(exchange, { status, text, type: 'text/plain; charset=utf-8' })
}

/** The answer to something thrown. What lies behind an answer of 500 and above is kept for the log. */
export async function respondError(exchange: Exchange, thrown: unknown, allow?: string): Promise<HTTPResponse> {
  const error = toApiError(thrown)
  if (error.status >= 500) exchange.cause = error.cause ?? error
  return respond(exchange, {
    status: error.status,
    text: toErrorText(exchange.id, error),
    type: JSON_TYPE,
    headers: {
      ...(allow === undefined ? {} : { allow }),
      ...(error.code === 'invalid_api_key' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
    },
  })
}

/** An ApiError as it is, anything else as `internal_error` with a fixed text. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return new ApiError('internal_error', 'The service failed on this request. Tell its operator the request_id.', {
    cause: thrown,
  })
}

/** The error body of contract/api 2.1. */
export function toErrorText(
  requestId: string,
  { code, message, details }: Pick<ApiError, 'code' | 'message' | 'details'>,
): string {
  return JSON.stringify({
    error: { code, message, ...(details === undefined ? {} : { details }), request_id: requestId } satisfies ErrorBody,
  })
}

interface ErrorBody {
  readonly code: ApiError['code']
  readonly message: string
  readonly details?: ApiError['details']
  readonly request_id: string
}

interface Content {
  readonly status: number
  readonly text: string | Compressible
  readonly type: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

async function respond(exchange: Exchange, { status, text, type, headers }: Content): Promise<HTTPResponse> {
  const { plain, encodings, compress } = typeof text === 'string' ? compressNow(text) : text
  const accepted = exchange.request.headers['accept-encoding']
  const encoding = plain.length > COMPRESSED_BYTES_MIN ? chooseEncoding(accepted, encodings) : undefined
  const body = encoding === undefined ? plain : await compress(encoding)
  exchange.bodyBytes = body.length
  return new HTTPResponse(body, {
    status,
    headers: toHeaders(exchange, { type, encoding, length: body.length, headers }),
  })
}

interface Head extends Pick<Content, 'type' | 'headers'> {
  readonly encoding: Encoding | undefined
  /** Bytes of the body, where they are known before it is sent. */
  readonly length?: number
}

function toHeaders(exchange: Exchange, { type, encoding, length, headers }: Head): Record<string, string> {
  return {
    ...FIXED_HEADERS,
    'x-request-id': exchange.id,
    'content-type': type,
    ...(length === undefined ? {} : { 'content-length': String(length) }),
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    ...(exchange.rate === undefined
      ? {}
      : { 'ratelimit-policy': toPolicyHeader(exchange.rate), ratelimit: toLimitHeader(exchange.rate) }),
    ...(exchange.cookie === undefined ? {} : { 'set-cookie': exchange.cookie }),
    ...headers,
  }
}

/** The answer 303: the browser is to go to `location`, with these cookies. */
export function respondRedirect(exchange: Exchange, location: string, cookies: readonly string[]): HTTPResponse {
  exchange.bodyBytes = 0
  const headers = { ...FIXED_HEADERS, 'x-request-id': exchange.id, 'referrer-policy': 'no-referrer', location }
  const pairs = [...Object.entries(headers), ...cookies.map((cookie) => ['set-cookie', cookie] as [string, string])]
  return new HTTPResponse(null, { status: 303, headers: pairs })
}

/** The answer 200 of another type than JSON, with its own headers. */
export async function respondTyped(
  exchange: Exchange,
  content: Pick<Content, 'text' | 'type' | 'headers'>,
): Promise<HTTPResponse> {
  return respond(exchange, { status: 200, ...content })
}

/**
 * The answer 200 whose text comes bit by bit, compressed where the client takes it. The client's pace is the text's; when
 * the client goes away, `text` is returned from, and when `text` throws, the connection is cut so that nobody takes what
 * came for the whole: without the closing chunk, in HTTP/1.0, which has none, by a reset.
 */
export function respondStream(
  exchange: Exchange,
  { text, type, headers }: { readonly text: AsyncIterable<string> } & Pick<Content, 'type' | 'headers'>,
): HTTPResponse {
  const encoding = chooseEncoding(exchange.request.headers['accept-encoding'])
  const head = { status: 200, headers: toHeaders(exchange, { type, encoding, headers }) }
  if (exchange.request.method === 'HEAD') return new HTTPResponse(null, head)
  // What goes wrong with either ends the other, and shows to who reads the result.
  const sent =
    encoding === undefined
      ? text
      : pipeline(Readable.from(text, { objectMode: false }), STREAM_ENCODERS[encoding](), () => {})
  const { signal } = exchange.work ?? {}
  const counted = Readable.from(countBytes(exchange, sent), { objectMode: false, ...(signal && { signal }) })
  counted.once('error', () => {
    if (signal?.reason instanceof ApiError) exchange.brokenOff ??= signal.reason
    if (exchange.request.httpVersion === '1.0') exchange.request.socket.resetAndDestroy()
  })
  return new HTTPResponse(counted, head)
}

async function* countBytes(exchange: Exchange, sent: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer, void> {
  exchange.bodyBytes = 0
  for await (const chunk of sent) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    exchange.bodyBytes += bytes.length
    yield bytes
  }
}
