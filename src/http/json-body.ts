import type { IncomingMessage } from 'node:http'
import { ApiError, type ErrorDetail } from '../errors.ts'
import { BODY_BYTES_MAX, JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../limits.ts'

/** Refuses what is no JSON in UTF-8, sent as it is: 415 (contract/api 2.2). */
export function checkContentType(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))
  if (type.toLowerCase() !== 'application/json' || (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset))) {
    throw new ApiError(
      'unsupported_media_type',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== '') {
    throw new ApiError('unsupported_media_type', 'Send the body uncompressed, without the header Content-Encoding.')
  }
}

/** The body's bytes: 413 over 1 MiB. Rejects with the stream's error when the client goes away. */
export async function readBody(request: IncomingMessage, sendContinue: () => void): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge()
  sendContinue()
  const chunks: Buffer[] = []
  let bytes = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
      else reject(tooLarge())
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => reject(new Error('the client closed the connection')))
    if (request.destroyed) reject(new Error('the client had closed the connection'))
  })
}

/**
 * Parses UTF-8 JSON; a byte order mark in front is skipped, as RFC 8259 allows. Throws `invalid_json`, and
 * `invalid_request` for a nesting that would take long just to parse.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid_json', 'The body is not valid UTF-8. Encode the JSON in UTF-8.')
  }
  if (text.trim() === '') throw new ApiError('invalid_json', 'The body is empty. Send a JSON object.')
  const { deepest, atEnd, commas } = measureNesting(text)
  if (commas > JSON_VALUES_MAX) throw new ApiError('invalid_request', TOO_MANY.message, { details: [TOO_MANY] })
  if (deepest > PARSED_DEPTH_MAX && atEnd === 0) {
    throw new ApiError('invalid_request', TOO_DEEP.message, { details: [TOO_DEEP] })
  }
  try {
    if (deepest <= PARSED_DEPTH_MAX) return JSON.parse(text)
  } catch {
    // Told below, like brackets that don't match.
  }
  throw new ApiError('invalid_json', 'The body is not valid JSON. Correct its syntax.')
}

/** A megabyte of brackets keeps `JSON.parse` busy for half a second; up to this depth it is fast. */
const PARSED_DEPTH_MAX = 1_000
const TOO_DEEP: ErrorDetail = { path: 'body', message: `Nest at most ${JSON_DEPTH_MAX} levels deep.` }

const TOO_MANY: ErrorDetail = { path: 'body', message: `Send at most ${JSON_VALUES_MAX} values.` }

/** How deep brackets outside of strings go, how many are open at the end, and how many commas stand between values. */
function measureNesting(text: string): { readonly deepest: number; readonly atEnd: number; readonly commas: number } {
  let commas = 0
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i)
    if (letter === QUOTE) inString = !inString
    else if (inString && letter === BACKSLASH) i += 1
    else if (inString) continue
    else if (letter === COMMA) commas += 1
    else if (letter === OPENING_BRACKET || letter === OPENING_BRACE) deepest = Math.max(deepest, ++depth)
    else if (letter === CLOSING_BRACKET || letter === CLOSING_BRACE) depth -= 1
  }
  return { deepest, atEnd: depth, commas }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** A value inside a body; the way up gives its path. */
interface Place {
  readonly value: unknown
  readonly key: string
  readonly above: Place | undefined
  readonly depth: number
}

/**
 * Faults that no schema sees: texts with half of a surrogate pair, which no store can keep, and nesting so deep that
 * checking it would exhaust the stack (in that case nothing else may look at the value).
 */
export function findJsonFaults(body: unknown): { readonly tooDeep: boolean; readonly faults: readonly ErrorDetail[] } {
  const faults: ErrorDetail[] = []
  const open: Place[] = [{ value: body, key: '', above: undefined, depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth } = place
    if (depth > JSON_DEPTH_MAX) {
      return { tooDeep: true, faults: [TOO_DEEP] }
    }
    if (typeof value === 'string') {
      if (!value.isWellFormed()) {
        faults.push({ path: toPath(place), message: 'Contains half of a surrogate pair. Use valid Unicode.' })
      }
      continue
    }
    for (const key in Object(value)) {
      const member: unknown = Reflect.get(Object(value), key)
      if (typeof member === 'string' || typeof member === 'object') {
        open.push({ value: member, key, above: place, depth: depth + 1 })
      }
    }
  }
  return { tooDeep: false, faults }
}

function toPath(place: Place): string {
  const keys: string[] = []
  for (let at: Place | undefined = place; at?.above !== undefined; at = at.above) keys.unshift(at.key)
  return keys.join('.') || 'body'
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'The body is over 1 MiB. Send less at once.')
}
