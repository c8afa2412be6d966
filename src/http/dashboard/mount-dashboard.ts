import type { H3 } from 'h3'
import { mount, type Serving } from '../mount.ts'
import type { RateLimiter } from '../rate-limit.ts'
import { mountPages } from './pages.ts'
import { mountProviderRedirects } from './provider-redirects.ts'
import { createSessionAccess } from './session-access.ts'
import { UI_ENDPOINTS } from './ui-endpoints.ts'
import { UiRequestContext } from './ui-request-context.ts'

/** The dashboard: its pages and files, and its operations under `/ui/v1` (contract/dashboard 1 and 4). */
export function mountDashboard(router: H3, serving: Serving, limiter: RateLimiter): void {
  mountPages(router, serving.exchangeOf)
  mountProviderRedirects(router, serving, limiter)
  mount(router, serving, {
    operations: UI_ENDPOINTS,
    access: createSessionAccess(serving.app, limiter),
    toContext: (exchange, parts) => new UiRequestContext(exchange, parts),
  })
}
