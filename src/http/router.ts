import { H3, type H3Event } from 'h3'
import { ApiError, noSuchSite } from '../errors.ts'
import { createRowsAnswer } from './answer-rows.ts'
import { checkRequest, checkUrl, unknownPath } from './checks.ts'
import type { Context, ServerApp } from './context.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { ENDPOINTS } from './endpoints/index.ts'
import type { Exchange } from './exchange.ts'
import { mountPages } from './dashboard/pages.ts'
import { answerHealth, HEALTH_PATHS } from './health.ts'
import { decodeOnce } from './key-in-url.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'
import type { RateLimiter } from './rate-limit.ts'
import { respondError, respondJson } from './respond.ts'

export interface RouterOptions {
  readonly app: ServerApp
  readonly limiter: RateLimiter
  /** The exchange of a request under way. */
  readonly exchangeOf: (event: H3Event) => Exchange
  readonly isDraining: () => boolean
}

/** Everything the server answers: the endpoints, the health checks, 405 with `Allow` on their paths, 404 on all others. */
export function createRouter(options: RouterOptions): H3 {
  const { exchangeOf } = options
  const getDocument = deferDocument()
  const answerRows = createRowsAnswer()
  const router = new H3({
    silent: true,
    // Undecodable paths are unknown ones, not h3's own 400.
    allowMalformedURL: true,
    onError: (error, event) => respondError(exchangeOf(event), error.cause ?? error, allowOf(error.cause)),
  })
  router.use((event) => {
    const exchange = exchangeOf(event)
    try {
      checkUrl(exchange)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'api_key_in_url') noteKey(options.app, exchange)
      throw error
    }
  })

  for (const endpoint of ENDPOINTS) {
    const answer = defineAnswer(endpoint, options, getDocument, answerRows)
    for (const method of methodsOf(endpoint.method)) router.on(method, toRoute(endpoint.path), answer)
  }
  for (const path of HEALTH_PATHS) {
    for (const method of methodsOf('GET')) {
      router.on(method, path, (event) => answerHealth(path, exchangeOf(event), options))
    }
  }
  mountPages(router, exchangeOf)
  for (const [path, allow] of listAllowed()) {
    router.all(toRoute(path), (event) => {
      exchangeOf(event).route = path
      throw new MethodNotAllowed(allow)
    })
  }
  router.all('/**', () => {
    throw unknownPath()
  })
  return router
}

/** Tells the log which key is to be revoked. */
function noteKey({ catalog }: ServerApp, exchange: Exchange): void {
  const [value] = /alk_[0-9A-Za-z]{40}/.exec(decodeOnce(exchange.request.url ?? '')) ?? []
  const id = value === undefined ? undefined : catalog.keys.authenticate(value)?.key.id
  if (id !== undefined) exchange.keyIdInUrl = id
}

/** The document is made when it is first asked for: that takes longer than starting the rest of the server. */
function deferDocument(): Context['getDocument'] {
  let making: Promise<OpenApiDocument> | undefined
  return () => (making ??= import('./openapi/document.ts').then(({ createDocument }) => createDocument(ENDPOINTS)))
}

function defineAnswer(
  endpoint: AnyEndpoint,
  { app, limiter, exchangeOf }: RouterOptions,
  getDocument: Context['getDocument'],
  answerRows: ReturnType<typeof createRowsAnswer>,
): (event: H3Event) => Promise<unknown> {
  return async (event) => {
    const exchange = exchangeOf(event)
    exchange.route = endpoint.path
    const pathValues = Object.fromEntries(
      Object.entries(event.context.params ?? {}).map(([name, value]) => [name, decodeOnce(value)]),
    )
    const input = await checkRequest({ app, limiter, endpoint, exchange, pathValues })
    const context = toContext(app, exchange, getDocument)
    const { rows } = endpoint
    const { format = 'json' } = exchange
    if (rows !== undefined && format !== 'json') {
      return answerRows({ exchange, endpoint, rows, format, context, input })
    }
    const answer = await endpoint.handle(context, input)
    return respondJson(exchange, answer, endpoint.hasCreated?.(answer) === true ? 201 : 200)
  }
}

function toContext(app: ServerApp, exchange: Exchange, getDocument: Context['getDocument']): Context {
  const getCaller = (): Context['caller'] => {
    if (exchange.caller === undefined) throw new Error('a public endpoint has no caller')
    return exchange.caller
  }
  return {
    app,
    getDocument,
    get caller() {
      return getCaller()
    },
    get work() {
      if (exchange.work === undefined) throw new Error('an endpoint without a body has no work')
      return exchange.work
    },
    getSite: (siteId) => {
      const site = app.catalog.sites.findOf(getCaller().organization.id, siteId)
      if (site === undefined) throw noSuchSite()
      exchange.siteId = site.id
      return site
    },
  }
}

class MethodNotAllowed extends ApiError {
  readonly allow: string

  constructor(allow: string) {
    super('method_not_allowed', `Use ${allow.replaceAll(', ', ' or ')} on this path.`)
    this.allow = allow
  }
}

function allowOf(error: unknown): string | undefined {
  return error instanceof MethodNotAllowed ? error.allow : undefined
}

/** Every path with its methods, as `Allow` lists them. */
function listAllowed(): Map<string, string> {
  const methods = new Map<string, readonly string[]>(HEALTH_PATHS.map((path) => [path, methodsOf('GET')]))
  for (const { path, method } of ENDPOINTS) methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(method)])
  return new Map([...methods].map(([path, names]) => [path, names.join(', ')]))
}

/** HEAD is answered like GET. */
function methodsOf(method: AnyEndpoint['method']): (AnyEndpoint['method'] | 'HEAD')[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
