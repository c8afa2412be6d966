import { toRegistrableDomain } from '../derive/citations.ts'
import { OWNERS } from '../domain/enums.ts'
import { empty, integers, type Sql, sql, texts } from '../lake/sql.ts'
import { listHostingKinds } from '../reference/source-kinds.ts'
import { CITATION_FILTER_FIELDS } from './citations/contract.ts'
import { toPredicate } from './filter.ts'
import type { Filter } from './request.ts'
import type { SiteState } from './run.ts'
import type { SiteFacts } from './site-facts.ts'
import { listSiteSourceKinds } from './site-source-kinds.ts'

/**
 * How citations are judged by the filter on them. `all`: there is none. `host`: all citations of one host, or (by domain) of
 * one domain, share the filter's fields, so that it keeps or drops a row whole. `each`: every citation by itself.
 */
export type Judging = { readonly by: 'all' } | { readonly by: 'host' | 'each'; readonly filter: Filter }

/** What a row with the column `domain` is joined with before `SOURCE_KIND` can stand in its SELECT. */
const KINDS_OF_DOMAINS = sql`LEFT JOIN kinds USING (domain) LEFT JOIN hosting ON suffix = substr(domain, strpos(domain, '.') + 1)`
const SOURCE_KIND = sql`coalesce(kind, hosted_kind, 'unknown')`

/**
 * `site_hosts`: every cited host with its registrable domain and its owner as decided today; for a filter also with its source
 * kind and, where hosts are judged, whether it passes.
 */
export function toSiteHosts(state: SiteState, judging: Judging): Sql {
  const owned = listOwned(state)
  const passes = judging.by === 'host' ? sql`, ${toPredicate(judging.filter, CITATION_FILTER_FIELDS)} AS passes` : empty
  const isJudged = judging.by !== 'all'
  return sql`
  hosts AS MATERIALIZED (
    SELECT host_no, host, domain
    FROM ${state.filesOf('hosts')}
  ),
  owned AS (
    SELECT
      unnest(${texts(owned.map((entry) => entry.registrable))}) AS domain,
      unnest(${texts(owned.map((entry) => entry.domain))}) AS owned_domain,
      unnest(${integers(owned.map((entry) => entry.ownerNo))}) AS owner_no
  ),${isJudged ? toKinds(state) : empty}
  host_owners AS (
    SELECT host_no, min(owner_no) AS owner_no
    FROM hosts JOIN owned USING (domain)
    WHERE host = owned_domain OR suffix(host, '.' || owned_domain)
    GROUP BY host_no
  ),
  site_hosts AS (
    SELECT *${passes}
    FROM (
      SELECT host_no, domain, coalesce(owner_no, 3) AS owner_no${isJudged ? sql`, ${OWNER} AS owner, ${SOURCE_KIND} AS source_kind` : empty}
      FROM hosts LEFT JOIN host_owners USING (host_no) ${isJudged ? KINDS_OF_DOMAINS : empty}
    )
  )`
}

/** CTEs `kinds` and `hosting`: source kinds of domains, and of those under a suffix, each with a comma behind it. */
function toKinds(state: SiteState): Sql {
  const kinds = [...listSiteSourceKinds(state.site, listBrandDomains(state))]
  return sql`
  kinds AS (
    SELECT
      unnest(${texts(kinds.map(([domain]) => domain))}) AS domain,
      unnest(${texts(kinds.map(([, kind]) => kind))}) AS kind
  ),
  hosting AS (
    SELECT
      unnest(${texts([...listHostingKinds().keys()])}) AS suffix,
      unnest(${texts([...listHostingKinds().values()])}) AS hosted_kind
  ),`
}

/** Registrable domains of the own brand and of confirmed competitors. */
export function listBrandDomains(facts: Pick<SiteFacts, 'site' | 'competitors'>): string[] {
  return listOwned(facts).map(({ registrable }) => registrable)
}

interface OwnedDomain {
  readonly domain: string
  readonly registrable: string
  readonly ownerNo: number
}

function listOwned({ site, competitors }: Pick<SiteFacts, 'site' | 'competitors'>): OwnedDomain[] {
  const toOwned = (ownerNo: number) => (domain: string) => ({
    domain,
    registrable: toRegistrableDomain(domain),
    ownerNo,
  })
  const confirmed = competitors.filter((competitor) => competitor.confirmed)
  return [toOwned(1)(site.domain), ...confirmed.flatMap(({ domains }) => domains.map(toOwned(2)))]
}

const OWNER = sql`${texts(OWNERS)}[coalesce(owner_no, 3)]`
