import type { SeededRandom } from './random.ts'

/** A page of the demo's own web site as its log shows it. */
export interface SitePage {
  readonly path: string
  /** How often people and crawlers ask for it, relative to the others. */
  readonly weight: number
  readonly bytes: number
}

export const SITE_PAGES: readonly SitePage[] = [
  page('/', 14, 18423),
  page('/pricing', 12, 15210),
  page('/features/shared-inbox', 6, 20114),
  page('/features/ai-drafts', 6, 19377),
  page('/features/help-center', 4, 17790),
  page('/compare/halvorix', 6, 22961),
  page('/compare/kestreldesk', 4, 21870),
  page('/customers', 3, 16054),
  page('/about', 2, 9120),
  page('/careers', 1, 8471),
  page('/security', 2, 12004),
  page('/solutions/ecommerce', 3, 18102),
  page('/solutions/saas', 3, 17655),
  page('/blog', 3, 14300),
  page('/blog/customer-service-metrics', 6, 31244),
  page('/blog/shared-inbox-best-practices', 4, 28710),
  page('/blog/helpdesk-migration-checklist', 4, 27003),
  page('/blog/ai-in-customer-support', 4, 29418),
  page('/blog/first-response-time', 3, 26107),
  page('/guides/helpdesk-buying-guide', 4, 40221),
  page('/docs/getting-started', 5, 16340),
  page('/docs/import-tickets', 3, 15022),
  page('/docs/sla-policies', 3, 14871),
  page('/docs/api', 3, 19005),
  page('/docs/api/tickets', 3, 21412),
  page('/docs/api/contacts', 2, 20938),
  page('/help/export-your-data', 2, 11987),
  page('/community/how-do-you-tag-tickets', 2, 13090),
  page('/community/weekend-coverage', 1, 12764),
  page('/de/preise', 1, 15377),
]

/** Files that only machines ask for. */
export const MACHINE_FILES: readonly SitePage[] = [
  page('/robots.txt', 6, 412),
  page('/sitemap.xml', 4, 9211),
  page('/llms.txt', 2, 2210),
  page('/blog/feed.xml', 1, 44810),
]
export const ASSETS: readonly SitePage[] = [
  page('/assets/app.8c21f3.css', 6, 38211),
  page('/assets/app.5b90d1.js', 6, 142876),
  page('/assets/fonts/inter-var.woff2', 3, 70320),
  page('/images/hero.webp', 4, 88412),
  page('/images/logo.svg', 4, 3120),
  page('/favicon.ico', 2, 1150),
]
export const PROBED_PATHS = ['/wp-login.php', '/.env', '/xmlrpc.php', '/admin', '/.git/config', '/backup.zip']
export const INVENTED_PATHS = ['/features/voice', '/integrations/phone', '/pricing/enterprise', '/docs/api/v3']

/** A page, the popular ones more often. */
export function pickPage(pages: readonly SitePage[], random: SeededRandom): SitePage {
  return random.pickWeighted(pages, ({ weight }) => weight)
}

function page(path: string, weight: number, bytes: number): SitePage {
  return { path, weight, bytes }
}
