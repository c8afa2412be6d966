import type { IncomingMessage } from 'node:http'
import { ApiError, type ErrorDetail } from '../errors.ts'
import { FAULTS_LISTED_MAX, HEADER_BYTES_MAX } from '../limits.ts'
import { Abandoned, startWork, type Work } from '../lake/read/work.ts'
import { type Access, callerId } from './access.ts'
import type { ServerApp } from './context.ts'
import type { AnyOperation, EndpointInput, Schema } from './endpoint.ts'
import { type Exchange, isPlainPath } from './exchange.ts'
import { chooseFormat } from './accept.ts'
import { checkContentType, findJsonFaults, parseJson, readBody } from './json-body.ts'
import { hasKeyInUrl, isUnderApi } from './key-in-url.ts'
import { fieldOf } from './patterns.ts'
import { parseQuery } from './query.ts'
import { HEADERS_TOO_LARGE } from './raw-refusal.ts'
import { strictObject } from '../schemas/strict-object.ts'
import { type Parsed, parseWith } from '../schemas/parse-with.ts'

const NO_QUERY = strictObject({})

/** What a handler is given, and whether its request names neither `limit` nor `cursor`. */
export interface CheckedInput extends EndpointInput<Schema | undefined, Schema | undefined, Schema | undefined> {
  readonly isWhole: boolean
}

/** A request on its way to the handler of its operation. */
interface Candidate<O extends AnyOperation> {
  readonly app: ServerApp
  readonly access: Access<O>
  readonly endpoint: O
  readonly exchange: Exchange
  /** Values of the path template, decoded. */
  readonly pathValues: Readonly<Record<string, string>>
}

/**
 * Everything that is checked before a handler runs, in the order of contract/api 2.4. It begins in the router with
 * `checkUrl` and the route (404, 405), and ends in the handlers with cursor, site and what needs the site. Throws the
 * ApiError of the first check that fails, gives the validated input.
 */
export async function checkRequest<O extends AnyOperation>(candidate: Candidate<O>): Promise<CheckedInput> {
  const { app, access, endpoint, exchange } = candidate
  access.admit(exchange, endpoint)
  if (endpoint.rows !== undefined) exchange.format = chooseFormat(exchange.request.headers.accept)
  if (endpoint.body === undefined) {
    if (endpoint.readsLake === true) startQueries(app, exchange)
    return validate(candidate, undefined)
  }
  const body = await receiveJson(exchange)
  access.admitAgain(exchange, endpoint)
  return validate(candidate, body, startQueries(app, exchange))
}

/** Starts the time that the request's queries have; they end with its connection. */
function startQueries({ config }: ServerApp, exchange: Exchange): Work {
  exchange.work = startWork(config.queryTimeoutMs, exchange.caller && callerId(exchange.caller))
  if (exchange.response.destroyed) exchange.work.stop(new Abandoned('the client had closed the connection'))
  return exchange.work
}

/** The first checks of all, on every path: the URL, and what Node would refuse without our error body. */
export function checkUrl({ target, request }: Exchange): void {
  if (isUnderApi(target.path) && hasKeyInUrl(target)) {
    throw new ApiError(
      'api_key_in_url',
      'The URL holds an API key or a parameter named like one. Send the key in the header X-API-Key, and revoke one that was in a URL.',
    )
  }
  if (headerBytesOf(request) > HEADER_BYTES_MAX) throw new ApiError('headers_too_large', HEADERS_TOO_LARGE)
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    throw new ApiError('invalid_request', 'The header Host is missing. Send it.')
  }
  for (const name of ['host', 'content-type']) {
    if ((request.headersDistinct[name]?.length ?? 0) > 1) {
      throw new ApiError(
        'invalid_request',
        `The header ${name === 'host' ? 'Host' : 'Content-Type'} is there twice. Send it once.`,
      )
    }
  }
  if (!/^[/*]/.test(target.path)) throw new ApiError('invalid_request', 'The path must begin with a slash.')
  if (target.path !== '/' && !isPlainPath(target.path)) throw unknownPath()
}

/** As they were sent; Node's own bound leaves the separators out, and a request may have thousands of them. */
function headerBytesOf({ rawHeaders, method = '', url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, part) => sum + part.length + 2, method.length + url.length + 12)
}

export function unknownPath(): ApiError {
  return new ApiError('not_found', 'There is nothing at this path. GET /v1/openapi.json lists all paths.')
}

async function receiveJson({ request, sendContinue }: Exchange): Promise<unknown> {
  checkContentType(request)
  return parseJson(await readBody(request, sendContinue))
}

/** Path, query and body together, so that every fault of the request is in one answer. */
async function validate<O extends AnyOperation>(
  { app, endpoint, exchange, pathValues }: Candidate<O>,
  body: unknown,
  work?: Work,
): Promise<CheckedInput> {
  const json = findJsonFaults(body)
  if (json.tooDeep) throw invalidRequest(json.faults)
  const query = parseQuery(exchange.target.query, endpoint.query)
  const parsed = {
    params: parsePart(endpoint.params, pathValues, 'path'),
    query: parsePart(endpoint.query ?? NO_QUERY, query.values, 'query'),
    body: parsePart(endpoint.body, body, 'body'),
  }
  const faults = [
    ...query.faults,
    ...Object.values(parsed).flatMap((part) => ('faults' in part ? part.faults : [])),
    ...json.faults,
    ...((work && (await endpoint.findFaults?.(app, body, work))) ?? []),
  ]
  const { params, query: parameters, body: content } = parsed
  if (faults.length > 0 || 'faults' in params || 'faults' in parameters || 'faults' in content) {
    throw invalidRequest(faults)
  }
  const isWhole = [query.values, body].every((sent) =>
    ['limit', 'cursor'].every((name) => fieldOf(sent, name) === undefined),
  )
  return { params: params.value, query: parameters.value, body: content.value, isWhole }
}

function parsePart(schema: Schema | undefined, value: unknown, name: string): Parsed<unknown> {
  return schema === undefined ? { value: undefined } : parseWith(schema, value, name)
}

function invalidRequest(faults: readonly ErrorDetail[]): ApiError {
  return new ApiError('invalid_request', 'The request has faults. See details for each of them.', {
    details: faults.slice(0, FAULTS_LISTED_MAX),
  })
}
