import type { Catalog } from '../catalog/catalog.ts'
import { toRegistrableDomain } from '../derive/citations.ts'
import { VERIFICATIONS } from '../derive/bot-verification.ts'
import { OWN_BRAND } from '../domain/brand.ts'
import { ENGINE_IDS, PAGE_TYPES } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import { listBots } from '../reference/bots.ts'
import { engineNo } from '../reference/engines.ts'
import { listHostingKinds, listSourceKinds } from '../reference/source-kinds.ts'
import { listBrandDomains } from '../reports/site-hosts.ts'
import { listDecidedKinds } from '../reports/site-source-kinds.ts'
import type { DecidedName } from './tables.ts'

/** Cells in the order of DECIDED_COLUMNS. */
export type DecidedRow = readonly (string | number | boolean | null)[]

/** What the catalog decides and the program brings, as rows of the published tables. Read it within one `catalog.read`. */
export function readDecided(catalog: Catalog): Readonly<Record<DecidedName, readonly DecidedRow[]>> {
  const sites = catalog.sites.list().toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    sites: sites.map(({ id, organizationId, name, domain, market }) => [id, organizationId, name, domain, market]),
    prompts: sites.flatMap(({ id }) =>
      catalog.prompts
        .list(id)
        .prompts.map((one) => [id, one.promptNo, one.id, one.text, one.category, one.market, one.status]),
    ),
    ...readBrands(catalog, sites),
    site_source_kinds: sites.flatMap((site) => {
      const brandDomains = listBrandDomains({ site, competitors: catalog.competitors.list(site.id) })
      return [...listDecidedKinds(site, brandDomains)].map(([domain, kind]) => [site.id, domain, kind])
    }),
    source_kinds: [...listSourceKinds()],
    hosting_kinds: [...listHostingKinds()],
    bots: listBots().flatMap(({ botNo, name, provider, type }) =>
      type === null ? [] : [[botNo, name, provider, type]],
    ),
    platforms: ENGINE_IDS.map((engine) => [engineNo(engine), engine]),
    page_types: PAGE_TYPES.map((type, index) => [index + 1, type]),
    verifications: VERIFICATIONS.map((verification, index) => [index, verification]),
  }
}

function readBrands(
  { competitors }: Catalog,
  sites: readonly Site[],
): Record<'brands' | 'brand_domains', readonly DecidedRow[]> {
  const brands: DecidedRow[] = []
  const domains: DecidedRow[] = []
  for (const { id, name, domain } of sites) {
    brands.push([id, OWN_BRAND, name, true, true])
    domains.push([id, OWN_BRAND, domain, toRegistrableDomain(domain)])
    for (const { brandNo, name: brand, confirmed, domains: own } of competitors.list(id)) {
      brands.push([id, brandNo, brand, false, confirmed])
      domains.push(...own.map((one) => [id, brandNo, one, toRegistrableDomain(one)]))
    }
  }
  return { brands, brand_domains: domains }
}
