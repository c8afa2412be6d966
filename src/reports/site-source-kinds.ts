import * as v from 'valibot'
import { SOURCE_KINDS, type SourceKind } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import { listHostingKinds, listSourceKinds } from '../reference/source-kinds.ts'

/** How the catalog keeps a site's own kinds. */
const OwnKinds = v.nullish(v.array(v.object({ domain: v.string(), source_kind: v.picklist(SOURCE_KINDS) })), [])

/** Kinds of registrable domains for one site: what is decided of it, then the bundled table (contract/api 5.6). */
export function listSiteSourceKinds(
  site: Pick<Site, 'sourceKinds'>,
  brandDomains: readonly string[],
): Map<string, SourceKind> {
  return new Map<string, SourceKind>([...listSourceKinds(), ...listDecidedKinds(site, brandDomains)])
}

/** Kinds of registrable domains that hold for one site alone: the operator's own table, then `brand`. */
export function listDecidedKinds(
  site: Pick<Site, 'sourceKinds'>,
  brandDomains: readonly string[],
): Map<string, SourceKind> {
  return new Map<string, SourceKind>([
    ...brandDomains.map((domain): [string, SourceKind] => [domain, 'brand']),
    ...v.parse(OwnKinds, site.sourceKinds).map((own): [string, SourceKind] => [own.domain, own.source_kind]),
  ])
}

/** The kind of a registrable domain for one site: its own, else that of its hosting; as `SOURCE_KIND` is in SQL (site-hosts.ts). */
export function createSourceKinds(
  site: Pick<Site, 'sourceKinds'>,
  brandDomains: readonly string[],
): (domain: string) => SourceKind {
  const kinds = listSiteSourceKinds(site, brandDomains)
  return (domain) => kinds.get(domain) ?? listHostingKinds().get(domain.slice(domain.indexOf('.') + 1)) ?? 'unknown'
}
