import type { HTTPResponse } from 'h3'
import { READINESS_TIMEOUT_MS } from '../limits.ts'
import type { ServerApp } from './context.ts'
import type { Exchange } from './exchange.ts'
import { respondText } from './respond.ts'

/** Outside `/v1`, without a key. */
export const HEALTH_PATHS = ['/healthz', '/readyz'] as const

/**
 * `/healthz`: the process answers. `/readyz`: it can do its work, or 503 with a code a line for what is in the way
 * (`draining` while it stops, `timeout` when the check itself takes too long).
 */
export async function answerHealth(
  path: (typeof HEALTH_PATHS)[number],
  exchange: Exchange,
  { app, isDraining }: { readonly app: ServerApp; readonly isDraining: () => boolean },
): Promise<HTTPResponse> {
  exchange.route = path
  if (path === '/healthz') return respondText(exchange, 200, 'ok\n')
  const defects = isDraining() ? ['draining'] : await findDefects(app)
  return defects.length === 0
    ? respondText(exchange, 200, 'ready\n')
    : respondText(exchange, 503, `${defects.join('\n')}\n`)
}

async function findDefects(app: ServerApp): Promise<readonly string[]> {
  const { promise: timeout, resolve } = Promise.withResolvers<readonly string[]>()
  const timer = setTimeout(() => resolve(['timeout']), READINESS_TIMEOUT_MS)
  try {
    return await Promise.race([app.findDefects(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
