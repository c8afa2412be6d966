import type { Catalog } from '../src/catalog/catalog.ts'
import { keyStatus, type ApiKey } from '../src/domain/api-key.ts'
import type { Competitor } from '../src/domain/competitor.ts'
import type { Organization } from '../src/domain/organization.ts'
import type { Site } from '../src/domain/site.ts'
import { presentCompetitor, presentSite } from '../src/http/present.ts'

/** What `--json` shows of the things the catalog keeps: as the API shows them, then what only operators see. */

export function toOrganizationJson(organization: Organization) {
  return {
    id: organization.id,
    name: organization.name,
    plan: organization.plan,
    plan_status: organization.planStatus,
    prompt_limit: organization.promptLimit,
    requests_per_minute: organization.requestsPerMinute,
    writes_per_minute: organization.writesPerMinute,
    created_at: organization.createdAt,
    stopped_at: organization.stoppedAt,
  }
}

export function toSiteJson(catalog: Catalog, site: Site) {
  return {
    ...presentSite(catalog, site),
    organization_id: site.organizationId,
    aliases: site.aliases,
    exact: site.exact,
    market: site.market,
    discover: site.discover,
  }
}

export function toCompetitorJson(competitor: Competitor) {
  return {
    ...presentCompetitor(competitor),
    site_id: competitor.siteId,
    aliases: competitor.aliases,
    exact: competitor.exact,
    answers: toEvidence(competitor),
  }
}

/** How many answers named a discovered competitor when they were imported; nobody counts that for others. */
export function toEvidence({ source, answers }: Competitor): number | null {
  return source === 'discovered' ? answers : null
}

/** Never the value of a key: that is shown once, when it is made. */
export function toKeyJson(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    permission: key.permission,
    expires_at: key.expiresAt,
    organization_id: key.organizationId,
    creator: key.creator,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    status: keyStatus(key, nowMs),
  }
}
