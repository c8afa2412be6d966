import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type App, openApp } from '../../src/app.ts'
import type { Clock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import type { ServerApp } from '../../src/http/context.ts'
import { startServer } from '../../src/http/server.ts'
import { expectDocumented } from './documented.ts'

/** What a test sends. `body` is sent as JSON unless it is text or bytes; `key` goes into `X-API-Key`. */
export interface TestRequest {
  readonly method?: string
  /** Request target, sent as it is. */
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: unknown
}

export interface TestResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Decompressed. */
  readonly text: string
  /** Parsed where it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** The real server over a data directory of its own, on a free port. */
export interface TestService {
  readonly url: string
  readonly app: App
  readonly dataDir: string
  /** Lines of the request log. */
  readonly log: string[]
  /** Sends over a socket; every answer is held against the OpenAPI document. */
  send(request: TestRequest): Promise<TestResponse>
  /** Sends bytes, then the end if so wished, and gives everything that comes back until the server closes or `until` is seen. */
  sendRaw(bytes: string | Uint8Array, options?: { until?: RegExp; thenEnd?: boolean }): Promise<string>
  /** Stops the server alone. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface TestServiceOptions {
  readonly clock?: Clock
  readonly shutdownGraceMs?: number
  /** Puts something into the data directory before it is opened. */
  readonly fill?: (dataDir: string) => Promise<void>
  /** As in `config.json`. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Replaces parts of the program, to bring about failures that can't be brought about otherwise. */
  readonly change?: (app: ServerApp) => ServerApp
}

export async function openTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { clock, shutdownGraceMs, fill, settings = {}, change = (app) => app } = options
  const dataDir = mkdtempSync(join(tmpdir(), 'answerlake-http-'))
  await fill?.(dataDir)
  const config = parseConfig({ dataDir, environment: {} }, settings, 'config.json')
  const app = await openApp(config, { mode: 'server', create: true, ...(clock && { clock }) })
  const log: string[] = []
  const server = await startServer(change(app), {
    host: '127.0.0.1',
    port: 0,
    log: { write: (line) => log.push(line) },
    ...(shutdownGraceMs !== undefined && { shutdownGraceMs }),
    connections: config.connections,
    connectionsPerAddress: config.connectionsPerAddress,
  })
  const port = Number(new URL(server.url).port)
  const agent = new Agent({ keepAlive: true })
  return {
    url: server.url,
    app,
    dataDir,
    log,
    async send(request) {
      const response = await send(port, agent, request)
      expectDocumented(request, response)
      return response
    },
    sendRaw: (bytes, rawOptions) => sendRaw(port, bytes, rawOptions),
    stop: () => server.close(),
    async close() {
      agent.destroy()
      await server.close()
      await app[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

async function send(port: number, agent: Agent, { method = 'GET', path, key, headers, body }: TestRequest) {
  const bytes =
    body === undefined
      ? undefined
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.from(body)
        : Buffer.from(JSON.stringify(body))
  return new Promise<TestResponse>((resolve, reject) => {
    const request = sendRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers: {
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => {
          const raw = Buffer.concat(chunks)
          const decode = DECODERS[response.headers['content-encoding'] ?? '']
          const text = (decode && raw.length > 0 ? decode(raw) : raw).toString()
          const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== ''
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          })
        })
      },
    )
    request.once('error', reject)
    request.end(bytes)
  })
}

async function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { until, thenEnd = false }: { until?: RegExp; thenEnd?: boolean } = {},
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    received += text
    if (until?.test(received)) socket.destroy()
  })
  socket.once('close', () => resolve(received))
  socket.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ECONNRESET' ? resolve(received) : reject(error),
  )
  socket.once('end', () => socket.end())
  if (thenEnd) socket.end(bytes)
  else socket.write(bytes)
  return promise
}
