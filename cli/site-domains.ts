import type { Catalog } from '../src/catalog/catalog.ts'

/** Names sites as people do, by their domain, which every `--site` takes; a site that is gone by its id. */
export function nameSites({ sites }: Catalog): (siteId: string) => string {
  const domains = new Map(sites.list().map(({ id, domain }) => [id, domain]))
  return (siteId) => domains.get(siteId) ?? siteId
}
