import { toRegistrableDomain } from '../derive/citations.ts'
import { OWN_BRAND } from '../domain/brand.ts'
import type { Competitor } from '../domain/competitor.ts'
import { ApiError } from '../errors.ts'
import { booleans, integer, integers, type Sql, sql, texts } from '../lake/sql.ts'
import type { SiteState } from './run.ts'
import { createBrandNames } from './site-brands.ts'

/** A brand that a report measures. `asked`: has rows. `ranked`: the own brand and confirmed competitors. */
export interface MeasuredBrand {
  readonly brandNo: number
  readonly name: string
  readonly domains: readonly string[]
  readonly ranked: boolean
  readonly asked: boolean
}

type AskedBrands = 'owned' | 'all' | readonly string[]

/**
 * The brands of `brands` (contract/api 5.3), and all ranked ones, which shares are of. Throws ApiError `invalid_request`
 * for a name that is of no brand of the site.
 */
export function listMeasured({ site, competitors }: SiteState, brands: AskedBrands): MeasuredBrand[] {
  const asked = new Set(typeof brands === 'string' ? [] : findAsked(site.name, site.aliases, competitors, brands))
  const isAsked = (brandNo: number): boolean =>
    brands === 'all' || (brands === 'owned' ? brandNo === OWN_BRAND : asked.has(brandNo))
  const own = { brandNo: OWN_BRAND, name: site.name, domains: [site.domain], ranked: true, asked: isAsked(OWN_BRAND) }
  return [
    own,
    ...competitors
      .filter((competitor) => competitor.confirmed || asked.has(competitor.brandNo))
      .map(({ brandNo, name, domains, confirmed }) => ({
        brandNo,
        name,
        domains,
        ranked: confirmed,
        asked: isAsked(brandNo),
      })),
  ]
}

function findAsked(
  ownName: string,
  aliases: readonly string[],
  competitors: readonly Competitor[],
  names: readonly string[],
): number[] {
  const find = createBrandNames({ name: ownName, aliases }, competitors)
  const found = names.map((name, index) => ({ brandNo: find(name), path: `brands.${index}` }))
  const details = found
    .filter(({ brandNo }) => brandNo === undefined)
    .map(({ path }) => ({
      path,
      message: 'No brand of this site has this name. Use a name from the competitors list.',
    }))
  if (details.length > 0) throw new ApiError('invalid_request', 'Some brands are unknown. See details.', { details })
  return found.flatMap(({ brandNo }) => (brandNo === undefined ? [] : [brandNo]))
}

/** CTEs `brands`, `brand_domains` and, of every host that is a brand's, `brand_hosts` (`host_no`, `brand_no`). */
export function toBrandTables(state: SiteState, brands: readonly MeasuredBrand[]): Sql {
  const brandDomains = brands.flatMap(({ brandNo, domains }) => domains.map((domain) => ({ brandNo, domain })))
  return sql`
  brands AS (
    SELECT
      unnest(${integers(brands.map((brand) => brand.brandNo))}) AS brand_no,
      unnest(${texts(brands.map((brand) => brand.name))}) AS brand_name,
      unnest(${booleans(brands.map((brand) => brand.ranked))}) AS ranked,
      unnest(${booleans(brands.map((brand) => brand.asked))}) AS asked
  ),
  brand_domains AS (
    SELECT
      unnest(${integers(brandDomains.map((entry) => entry.brandNo))}) AS brand_no,
      unnest(${texts(brandDomains.map((entry) => entry.domain))}) AS brand_domain,
      unnest(${texts(brandDomains.map((entry) => toRegistrableDomain(entry.domain)))}) AS domain
  ),
  brand_hosts AS (
    SELECT DISTINCT host_no, brand_no
    FROM ${state.filesOf('hosts')} JOIN brand_domains USING (domain)
    WHERE host = brand_domain OR suffix(host, '.' || brand_domain)
  ),`
}

/** The CTE `own_mentions`, with a comma behind it: `answer_no` of the range's answers that name the own brand. */
export function toOwnMentions(state: SiteState): Sql {
  return sql`
  own_mentions AS (
    SELECT answer_no
    FROM ${state.filesOf('mentions')}
    WHERE brand_no = ${integer(OWN_BRAND)} AND ${state.inRange('mentions')}
  ),`
}
