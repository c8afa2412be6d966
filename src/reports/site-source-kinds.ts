import type { SourceKind } from '../domain/enums.ts'
import type { Site } from '../domain/site.ts'
import { listSourceKinds, toSourceKinds } from '../reference/source-kinds.ts'

/** Kinds of registrable domains for one site: the operator's own table first, then `brand`, then the bundled table (decisions.md 5.6). */
export function listSiteSourceKinds(
  site: Pick<Site, 'sourceKinds'>,
  brandDomains: readonly string[],
): Map<string, SourceKind> {
  return new Map<string, SourceKind>([
    ...listSourceKinds(),
    ...brandDomains.map((domain): [string, SourceKind] => [domain, 'brand']),
    ...toSourceKinds(site.sourceKinds),
  ])
}
