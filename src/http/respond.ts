import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { HTTPResponse } from 'h3'
import { ApiError, type ErrorCode } from '../errors.ts'
import { COMPRESSED_BYTES_MIN } from '../limits.ts'
import type { Exchange } from './exchange.ts'
import { toLimitHeader, toPolicyHeader } from './rate-limit.ts'

/** What every answer carries, those of Node's own refusals too (contract/api 2.6). No CORS, on purpose. */
export const FIXED_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

const JSON_TYPE = 'application/json; charset=utf-8'

/** Our own order where a client has no preference. */
const ENCODERS = {
  zstd: promisify(zstdCompress),
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
} as const
type Encoding = keyof typeof ENCODERS

/** The default, 11, takes a hundred times as long for a tenth less. */
const BROTLI_QUALITY = 4

/** The answer 200 or 201 with a JSON body, compressed where the client takes it. */
export async function respondJson(exchange: Exchange, body: unknown, status: 200 | 201 = 200): Promise<HTTPResponse> {
  return respond(exchange, { status, text: JSON.stringify(body), type: JSON_TYPE })
}

/** A short text, for the health checks. */
export async function respondText(exchange: Exchange, status: number, text: string): Promise<HTTPResponse> {
  return respond(exchange, { status, text, type: 'text/plain; charset=utf-8' })
}

/**
 * The answer to something thrown: an ApiError as it is, anything else as `internal_error` with a fixed text. What lies
 * behind an answer of 500 and above is kept for the log.
 */
export async function respondError(exchange: Exchange, thrown: unknown, allow?: string): Promise<HTTPResponse> {
  const error =
    thrown instanceof ApiError
      ? thrown
      : new ApiError('internal_error', 'The service failed on this request. Tell its operator the request_id.', {
          cause: thrown,
        })
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
  readonly code: ErrorCode
  readonly message: string
  readonly details?: ApiError['details']
  readonly request_id: string
}

interface Content {
  readonly status: number
  readonly text: string
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
}

async function respond(exchange: Exchange, { status, text, type, headers }: Content): Promise<HTTPResponse> {
  const plain = Buffer.from(text)
  const encoding =
    plain.length > COMPRESSED_BYTES_MIN ? chooseEncoding(exchange.request.headers['accept-encoding']) : undefined
  const body = encoding === undefined ? plain : await ENCODERS[encoding](plain)
  exchange.bodyBytes = body.length
  return new HTTPResponse(body, {
    status,
    headers: {
      ...FIXED_HEADERS,
      'x-request-id': exchange.id,
      'content-type': type,
      'content-length': String(body.length),
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(exchange.rate === undefined
        ? {}
        : { 'ratelimit-policy': toPolicyHeader(exchange.rate), ratelimit: toLimitHeader(exchange.rate) }),
      ...headers,
    },
  })
}

/** The encoding of an `Accept-Encoding` header that weighs most; undefined for none (RFC 9110, 12.5.3). */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = (['zstd', 'br', 'gzip'] as const).toSorted((a, b) => weightOf(b) - weightOf(a))[0]
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}
