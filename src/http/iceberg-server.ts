import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type CatalogAnswer, openRestCatalog, toFault } from '../iceberg/rest-catalog.ts'
import { newId } from '../ids.ts'
import {
  CONNECTIONS_CHECK_MS,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  IDLE_SOCKET_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
} from '../limits.ts'
import { ICEBERG_CONNECTIONS_MAX } from '../publication-limits.ts'
import type { LogLevel } from '../settings.ts'
import { findClient } from './client-address.ts'
import { boundConnections } from './connections.ts'
import type { ServerApp } from './context.ts'
import { type Exchange, parseTarget } from './exchange.ts'
import { drain, listen, toUrl } from './listening.ts'
import { createRequestLog, type LogSink } from './request-log.ts'
import type { RunningServer } from './server.ts'

export interface IcebergServerOptions {
  /** The publication's directory. */
  readonly directory: string
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly log: LogSink
  readonly logLevel?: LogLevel
  readonly shutdownGraceMs: number
}

/**
 * Serves a publication as an Iceberg REST catalog, to holders of an operator's key: it shows all organizations. Rejects when
 * the address can't be listened on.
 */
export async function startIcebergServer(
  { catalog, clock }: Pick<ServerApp, 'catalog' | 'clock'>,
  { directory, host, port, log: sink, logLevel = 'info', shutdownGraceMs }: IcebergServerOptions,
): Promise<RunningServer> {
  const log = createRequestLog(sink, { clock, level: logLevel })
  const tables = openRestCatalog(directory)

  async function answer(exchange: Exchange): Promise<CatalogAnswer> {
    const { method = '', headers, url = '' } = exchange.request
    const [, value = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    const key = catalog.operatorKeys.authenticate(value)
    if (key === undefined) {
      return toFault(401, 'NotAuthorizedException', "Send a valid operator's key as Authorization: Bearer.")
    }
    exchange.operatorKeyId = key.id
    if (method !== 'GET' && method !== 'HEAD') {
      return toFault(405, 'UnsupportedOperationException', 'This catalog can only be read.')
    }
    const answered = await tables.answer(method, url)
    // Of a path that is there: others are whatever was sent.
    if (answered.status < 300) exchange.route = exchange.target.path
    return answered
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange: Exchange = {
      id: newId('req', clock.now()),
      startedMs: performance.now(),
      request,
      response,
      client: findClient(request),
      target: parseTarget(request.url ?? ''),
      sendContinue: () => {},
    }
    response.once('close', () => log.request(exchange))
    const { status, body } = await answer(exchange).catch((error: unknown) => {
      exchange.cause = error
      return toFault(500, 'InternalServerError', 'The catalog could not be read.')
    })
    const text = body === undefined ? '' : JSON.stringify(body)
    exchange.bodyBytes = Buffer.byteLength(text)
    response.writeHead(status, {
      'X-Request-Id': exchange.id,
      'Cache-Control': 'no-store',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': exchange.bodyBytes }),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(status === 405 ? { Allow: 'GET, HEAD', Connection: 'close' } : {}),
    })
    response.end(request.method === 'HEAD' ? '' : text)
  }

  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    noDelay: true,
  })
  boundConnections(server, { connections: ICEBERG_CONNECTIONS_MAX, connectionsPerAddress: ICEBERG_CONNECTIONS_MAX })
  server.timeout = IDLE_SOCKET_TIMEOUT_MS
  server.on('request', (request, response) => void receive(request, response))
  await listen(server, host, port)
  server.on('error', (error) => log.failed('a connection could not be accepted', error))
  return { url: toUrl(server), close: () => drain(server, shutdownGraceMs) }
}
