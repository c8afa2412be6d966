import { createMentionMatcher } from '../derive/mentions.ts'
import { type BrandNo, type BrandSpellings, OWN_BRAND } from '../domain/brand.ts'
import type { Competitor } from '../domain/competitor.ts'
import type { Site } from '../domain/site.ts'

/** Every brand of a site with its spellings, the own brand first (contract/imports 2.3). */
function listSpellings(site: Pick<Site, 'name' | 'aliases'>, competitors: readonly Competitor[]): BrandSpellings[] {
  return [
    { brandNo: OWN_BRAND, spellings: [site.name, ...site.aliases] },
    ...competitors.map(({ brandNo, name, aliases }) => ({ brandNo, spellings: [name, ...aliases] })),
  ]
}

/** Finds a site's brand by name or alias, compared as in contract/imports 2.3. */
export function createBrandNames(
  site: Pick<Site, 'name' | 'aliases'>,
  competitors: readonly Competitor[],
): (name: string) => BrandNo | undefined {
  const matcher = createMentionMatcher(listSpellings(site, competitors))
  return (name) => matcher.match(name)
}
