import type { Catalog } from '../catalog/catalog.ts'
import { toBrandKey } from '../derive/brand-key.ts'
import { findCandidateNames } from '../derive/candidates.ts'
import { createMentionMatcher, type MentionMatcher } from '../derive/mentions.ts'
import { type BrandNo, OWN_BRAND } from '../domain/brand.ts'
import type { Site } from '../domain/site.ts'
import { CANDIDATES_MAX, DISCOVERED_MAX } from '../limits.ts'
import { createNumbers } from './id-sequence.ts'

/** A brand that an import found and its commit makes an unconfirmed competitor. */
export interface DiscoveredBrand {
  readonly brandNo: BrandNo
  readonly name: string
}

/** The brands of a site during an import, and those it discovers (contract/imports 2.3). */
export interface SiteBrands {
  /** Finds the brands that were known when the import began. */
  readonly matcher: MentionMatcher
  /** Number of a name from a record's own `mentions`; an unknown one becomes a brand, unless discovery is off. */
  take(name: string): BrandNo | undefined
  /** Names that a text lists like products and no brand has: candidates for brands. */
  findCandidates(text: string): readonly string[]
  /** Counts what an answer names that the lake keeps. Without it nothing of an answer becomes a brand. */
  keep(answer: KeptAnswer): void
  /** Numbers the candidates that became brands, and tells all that did. */
  settle(): SettledBrands
}

export interface SettledBrands {
  readonly discovered: readonly DiscoveredBrand[]
  /** Answers whose texts list a candidate that became a brand: what is shown beside an unconfirmed competitor. */
  readonly evidence: readonly { readonly brandNo: BrandNo; readonly answers: number }[]
}

export interface KeptAnswer {
  readonly promptNo: number
  readonly mentions: readonly BrandNo[]
  readonly candidates: readonly string[]
}

interface Candidate {
  readonly name: string
  readonly prompts: Set<number>
  answers: number
}

/**
 * The brands of a site for one import: its own, its competitors, and, where the site's `discover` is on, those that the
 * import finds, but names that are ignored: a candidate becomes a brand when answers of `discoverMin` prompts list it. With
 * `dryRun` no numbers are taken from the catalog.
 */
export function openSiteBrands(
  catalog: Catalog,
  site: Site,
  { dryRun, discoverMin }: { dryRun: boolean; discoverMin: number },
): SiteBrands {
  const competitors = catalog.competitors.list(site.id)
  const matcher = createMentionMatcher([
    { brandNo: OWN_BRAND, spellings: [site.name, ...site.aliases], exact: site.exact },
    ...competitors.map(({ brandNo, name, aliases, exact }) => ({ brandNo, spellings: [name, ...aliases], exact })),
  ])
  const ignored = catalog.competitors.listIgnoredKeys(site.id)
  const isIgnored = (name: string): boolean => ignored.size > 0 && ignored.has(toBrandKey(name))
  const highestNo = Math.max(0, ...competitors.map(({ brandNo }) => brandNo))
  const nextNo = createNumbers(catalog, site.id, 'brands', { dryRun, highestNo })
  const taken = new Map<string, DiscoveredBrand>()
  const candidates = new Map<string, Candidate>()
  const mentioned = new Set<BrandNo>()

  function settle(): SettledBrands {
    const evidence: { brandNo: BrandNo; answers: number }[] = []
    const found = new Map([...taken].filter(([, { brandNo }]) => mentioned.has(brandNo)))
    for (const [key, { name, prompts, answers }] of candidates) {
      if (prompts.size < discoverMin || found.has(key)) continue
      const brand = taken.get(key) ?? { brandNo: nextNo(), name }
      taken.set(key, brand)
      found.set(key, brand)
      evidence.push({ brandNo: brand.brandNo, answers })
    }
    return { discovered: [...found.values()], evidence }
  }

  function discover(name: string): BrandNo | undefined {
    const key = toBrandKey(name)
    if (key === '' || ignored.has(key)) return undefined
    if (!taken.has(key) && taken.size >= DISCOVERED_MAX) return undefined
    const brand = taken.get(key) ?? { brandNo: nextNo(), name: name.normalize('NFC').trim() }
    taken.set(key, brand)
    return brand.brandNo
  }

  return {
    matcher,
    take(name) {
      return matcher.match(name) ?? (site.discover ? discover(name) : undefined)
    },
    findCandidates: (text) =>
      site.discover
        ? findCandidateNames(text).filter((name) => matcher.match(name) === undefined && !isIgnored(name))
        : [],
    keep({ promptNo, mentions, candidates: names }) {
      for (const brandNo of mentions) mentioned.add(brandNo)
      for (const name of names) {
        const key = toBrandKey(name)
        const candidate = candidates.get(key) ?? { name, prompts: new Set(), answers: 0 }
        if (candidate.answers === 0 && candidates.size >= CANDIDATES_MAX) continue
        candidate.answers += 1
        if (candidate.prompts.size < discoverMin) candidate.prompts.add(promptNo)
        candidates.set(key, candidate)
      }
    },
    settle,
  }
}
