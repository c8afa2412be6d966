import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type H3Event, toNodeHandler } from 'h3'
import type { LogLevel } from '../settings.ts'
import { newId } from '../ids.ts'
import { Abandoned } from '../lake/read/work.ts'
import {
  CONNECTIONS_CHECK_MS,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  IDLE_SOCKET_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  KEY_LAST_USED_FLUSH_MS,
  REQUEST_TIMEOUT_MS,
  SHUTDOWN_GRACE_MS,
} from '../limits.ts'
import { boundConnections } from './connections.ts'
import { findClient } from './client-address.ts'
import type { ServerApp } from './context.ts'
import { type Exchange, parseTarget } from './exchange.ts'
import { drain, listen, toUrl } from './listening.ts'
import { refuseRaw, toRefusal } from './raw-refusal.ts'
import { createRateLimiter } from './rate-limit.ts'
import { createRequestLog, type LogSink } from './request-log.ts'
import { createRouter } from './router.ts'

export interface ServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly log: LogSink
  readonly logLevel?: LogLevel
  /** How long requests under way may take after `close()`. */
  readonly shutdownGraceMs?: number
  readonly connections?: number
  readonly connectionsPerAddress?: number
}

export interface RunningServer {
  /** `http://HOST:PORT` */
  readonly url: string
  /**
   * Answers what was sent already, takes no more connections, lets requests under way end within the grace period, then
   * closes what is left.
   */
  close(): Promise<void>
}

/** Serves the API of the program (contract/imports 1.4, `serve`). Rejects when the address can't be listened on. */
export async function startServer(app: ServerApp, options: ServerOptions): Promise<RunningServer> {
  const { host, port, log: sink, logLevel = 'info', shutdownGraceMs = SHUTDOWN_GRACE_MS } = options
  const { connections = CONNECTIONS_MAX, connectionsPerAddress = CONNECTIONS_PER_ADDRESS_MAX } = options
  const log = createRequestLog(sink, { clock: app.clock, level: logLevel })
  const exchanges = new WeakMap<IncomingMessage, Exchange>()
  const latest = new WeakMap<Duplex, Exchange>()
  const underWay = new Set<ServerResponse>()
  let draining = false

  const router = createRouter({
    app,
    limiter: createRateLimiter(),
    exchangeOf: (event) => getExchange(exchanges, event),
    isDraining: () => draining,
  })
  const answer = toNodeHandler(router)

  const receive = async (request: IncomingMessage, response: ServerResponse, waits: boolean): Promise<void> => {
    const exchange: Exchange = {
      id: newId('req', app.clock.now()),
      startedMs: performance.now(),
      request,
      response,
      client: findClient(request),
      target: parseTarget(request.url ?? ''),
      sendContinue: () => waits && response.writeContinue(),
    }
    exchanges.set(request, exchange)
    latest.set(request.socket, exchange)
    underWay.add(response)
    response.once('close', () => {
      underWay.delete(response)
      exchange.work?.stop(new Abandoned('the client closed the connection'))
      exchange.work?.[Symbol.dispose]()
      log.request(exchange)
    })
    if (draining) response.setHeader('connection', 'close')
    try {
      await answer(request, response)
    } catch (error) {
      // Only a fault of the machinery around the router ends here; what it throws itself is answered by its onError.
      exchange.cause = error
      response.destroy()
    }
  }

  /** Answers what is no HTTP, in the place of the answer that is still owed when a request under way turns out so. */
  const refuse = (socket: Duplex, reason: string): void => {
    const exchange = latest.get(socket)
    const owed = exchange !== undefined && !exchange.response.writableFinished ? exchange : undefined
    if (owed?.response.headersSent) {
      socket.destroy()
      return
    }
    const refusal = toRefusal(reason)
    const id = owed?.id ?? newId('req', app.clock.now())
    if (owed === undefined) log.refused(id, refusal.status, reason)
    else owed.refusedWith = refusal.status
    refuseRaw(socket, id, refusal)
  }

  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    // Its own answer to a missing Host has no body; checks.ts gives ours.
    requireHostHeader: false,
    noDelay: true,
  })
  boundConnections(server, { connections, connectionsPerAddress })
  // Headers are bounded in bytes; a bound on their number would drop the rest silently, a key among them.
  server.maxHeadersCount = 0
  server.timeout = IDLE_SOCKET_TIMEOUT_MS
  server.on('request', (request, response) => void receive(request, response, false))
  server.on('checkContinue', (request, response) => void receive(request, response, true))
  server.on('checkExpectation', (request, response) => void receive(request, response, false))
  server.on('connect', (_request, socket) => refuse(socket, 'connect'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, error.code ?? 'unknown')
  })

  await listen(server, host, port)
  server.on('error', (error) => log.failed('a connection could not be accepted', error))
  const flushing = setInterval(() => {
    try {
      app.catalog.keys.flushLastUsed()
      app.catalog.sessions.flushLastUsed()
    } catch (error) {
      log.failed('the last use of keys and sessions could not be stored', error)
    }
  }, KEY_LAST_USED_FLUSH_MS)
  return {
    url: toUrl(server),
    close: () => {
      draining = true
      clearInterval(flushing)
      for (const response of underWay) if (!response.headersSent) response.setHeader('connection', 'close')
      return drain(server, shutdownGraceMs)
    },
  }
}

function getExchange(exchanges: WeakMap<IncomingMessage, Exchange>, event: H3Event): Exchange {
  const request = event.runtime?.node?.req
  const exchange = request === undefined ? undefined : exchanges.get(request as IncomingMessage)
  if (exchange === undefined) throw new Error('a request did not come from the server')
  return exchange
}
