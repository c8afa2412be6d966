import type { H3, H3Event, HTTPResponse } from 'h3'
import { namesHtml } from '../accept.ts'
import { unknownPath } from '../checks.ts'
import type { Exchange } from '../exchange.ts'
import { respondTyped } from '../respond.ts'
import { loadAssets } from './assets.ts'
import { PAGE_HEADERS } from './page.ts'

const PAGE_PATHS = ['/', '/sign-in', '/sites/**', '/settings/**', '/methods'] as const
const ASSET_PATHS = '/assets/**'

/**
 * The dashboard's pages, for those who ask for HTML, and its files (contract/dashboard 1). What else is asked for on these
 * paths is unknown, as everything outside the API.
 */
export function mountPages(router: H3, exchangeOf: (event: H3Event) => Exchange): void {
  for (const path of PAGE_PATHS) onRead(router, path, (event) => answerPage(exchangeOf(event), path))
  onRead(router, ASSET_PATHS, (event) => answerAsset(exchangeOf(event)))
}

function onRead(router: H3, path: string, answer: (event: H3Event) => Promise<HTTPResponse>): void {
  for (const method of ['GET', 'HEAD'] as const) router.on(method, path, answer)
}

async function answerPage(exchange: Exchange, route: string): Promise<HTTPResponse> {
  if (!namesHtml(exchange.request.headers.accept)) throw unknownPath()
  exchange.route = route
  const { page } = await loadAssets()
  return respondTyped(exchange, { ...page, headers: { ...PAGE_HEADERS, vary: 'accept, accept-encoding' } })
}

async function answerAsset(exchange: Exchange): Promise<HTTPResponse> {
  const { files } = await loadAssets()
  const found = files.get(exchange.target.path)
  if (found === undefined) throw unknownPath()
  exchange.route = ASSET_PATHS
  const headers = { ...PAGE_HEADERS, 'cache-control': 'public, max-age=31536000, immutable' }
  return respondTyped(exchange, { ...found, headers })
}
