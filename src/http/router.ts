import { H3 } from 'h3'
import { ApiError } from '../errors.ts'
import { createRowsAnswer } from './answer-rows.ts'
import { checkUrl, unknownPath } from './checks.ts'
import type { Context, ServerApp } from './context.ts'
import { mountDashboard } from './dashboard/mount-dashboard.ts'
import { UI_ENDPOINTS } from './dashboard/ui-endpoints.ts'
import type { AnyOperation } from './endpoint.ts'
import { ENDPOINTS } from './endpoints/index.ts'
import type { Exchange } from './exchange.ts'
import { answerHealth, HEALTH_PATHS } from './health.ts'
import { createKeyAccess } from './key-access.ts'
import { decodeOnce } from './key-in-url.ts'
import { methodsOf, mount, type Serving, toRoute } from './mount.ts'
import type { OpenApiDocument } from './openapi/openapi-document.ts'
import type { RateLimiter } from './rate-limit.ts'
import { RequestContext } from './request-context.ts'
import { respondError } from './respond.ts'

export interface RouterOptions extends Pick<Serving, 'app' | 'exchangeOf'> {
  readonly limiter: RateLimiter
  readonly isDraining: () => boolean
}

/**
 * Everything the server answers: the endpoints, the health checks, the dashboard, 405 with `Allow` on their paths, 404 on all
 * others.
 */
export function createRouter(options: RouterOptions): H3 {
  const { app, exchangeOf, limiter } = options
  const serving: Serving = { app, exchangeOf, getDocument: deferDocument(), answerRows: createRowsAnswer() }
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
      if (error instanceof ApiError && error.code === 'api_key_in_url') noteKey(app, exchange)
      throw error
    }
  })

  mount(router, serving, {
    operations: ENDPOINTS,
    access: createKeyAccess(app, limiter),
    toContext: (exchange, parts) => new RequestContext(exchange, parts),
  })
  if (app.config.dashboard) mountDashboard(router, serving, limiter)
  for (const path of HEALTH_PATHS) {
    for (const method of methodsOf('GET')) {
      router.on(method, path, (event) => answerHealth(path, exchangeOf(event), options))
    }
  }
  for (const [path, allow] of listAllowed([...ENDPOINTS, ...(app.config.dashboard ? UI_ENDPOINTS : [])])) {
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
function listAllowed(operations: readonly AnyOperation[]): Map<string, string> {
  const methods = new Map<string, readonly string[]>(HEALTH_PATHS.map((path) => [path, methodsOf('GET')]))
  for (const { path, method } of operations) methods.set(path, [...(methods.get(path) ?? []), ...methodsOf(method)])
  return new Map([...methods].map(([path, names]) => [path, names.join(', ')]))
}
