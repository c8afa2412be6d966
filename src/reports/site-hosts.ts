import { toRegistrableDomain } from '../derive/citations.ts'
import { OWNERS } from '../domain/enums.ts'
import { empty, integers, type Sql, sql, texts } from '../lake/sql.ts'
import { listHostingKinds } from '../reference/source-kinds.ts'
import { type FilterFields, toPredicate } from './filter.ts'
import type { Filter } from './request.ts'
import type { SiteState } from './run.ts'
import { listSiteSourceKinds } from './site-source-kinds.ts'

/** Columns of what a filter on citations may name, over citations joined with `site_hosts`, `platforms` and `prompts`. */
export const CITATION_FIELDS: FilterFields = {
  platform: { column: sql`platform` },
  prompt: { column: sql`prompt_text`, id: sql`prompt_id` },
  category: { column: sql`category` },
  domain: { column: sql`domain` },
  owner: { column: sql`owner` },
  source_kind: { column: sql`source_kind` },
}

/**
 * `site_domains`: every cited registrable domain with its source kind as decided today, numbered by its first host.
 * `site_hosts`: every cited host with its domain and owner, and, where `keeping` is given, whether it passes that filter.
 */
export function toSiteHosts(state: SiteState, keeping: Filter | undefined): Sql {
  const confirmed = state.competitors.filter((competitor) => competitor.confirmed)
  const owned = [
    { domain: state.site.domain, ownerNo: 1 },
    ...confirmed.flatMap(({ domains }) => domains.map((domain) => ({ domain, ownerNo: 2 }))),
  ]
  const brandDomains = owned.map(({ domain }) => toRegistrableDomain(domain))
  const kinds = [...listSiteSourceKinds(state.site, brandDomains)]
  const passes = keeping ? sql`, ${toPredicate(keeping, CITATION_FIELDS)} AS passes` : empty
  return sql`
  hosts AS MATERIALIZED (
    SELECT host_no, host, domain
    FROM ${state.filesOf('hosts')}
  ),
  owned AS (
    SELECT
      unnest(${texts(brandDomains)}) AS domain,
      unnest(${texts(owned.map((entry) => entry.domain))}) AS owned_domain,
      unnest(${integers(owned.map((entry) => entry.ownerNo))}) AS owner_no
  ),
  kinds AS (
    SELECT
      unnest(${texts(kinds.map(([domain]) => domain))}) AS domain,
      unnest(${texts(kinds.map(([, kind]) => kind))}) AS source_kind
  ),
  hosting AS (
    SELECT
      unnest(${texts([...listHostingKinds().keys()])}) AS suffix,
      unnest(${texts([...listHostingKinds().values()])}) AS hosted_kind
  ),
  host_owners AS (
    SELECT host_no, min(owner_no) AS owner_no
    FROM hosts JOIN owned USING (domain)
    WHERE host = owned_domain OR suffix(host, '.' || owned_domain)
    GROUP BY host_no
  ),
  site_domains AS (
    SELECT domain_no, domain, coalesce(source_kind, hosted_kind, 'unknown') AS source_kind
    FROM (SELECT min(host_no) AS domain_no, domain FROM hosts GROUP BY domain)
    LEFT JOIN kinds USING (domain)
    LEFT JOIN hosting ON suffix = substr(domain, strpos(domain, '.') + 1)
  ),
  site_hosts AS (
    SELECT *${passes}
    FROM (
      SELECT host_no, domain_no, domain, source_kind, coalesce(owner_no, 3) AS owner_no, ${texts(OWNERS)}[coalesce(owner_no, 3)] AS owner
      FROM hosts
      JOIN site_domains USING (domain)
      LEFT JOIN host_owners USING (host_no)
    )
  )`
}
