import type { ActionCard } from '../src/domain/action-card.ts'
import { keyStatus, type ApiKey } from '../src/domain/api-key.ts'
import type { Competitor } from '../src/domain/competitor.ts'
import type { Organization } from '../src/domain/organization.ts'
import type { Prompt } from '../src/domain/prompt.ts'
import type { AnswerScan, Site } from '../src/domain/site.ts'

/** What `--json` shows of the things the catalog keeps: the keys of the REST API (spec.md 2), then what only operators see. */

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
  }
}

export function toSiteJson(site: Site, lastAnswerScan: AnswerScan | null) {
  return {
    id: site.id,
    name: site.name,
    domain: site.domain,
    created_at: site.createdAt,
    platforms: site.platforms,
    last_answer_scan: lastAnswerScan,
    organization_id: site.organizationId,
    aliases: site.aliases,
    market: site.market,
    discover: site.discover,
  }
}

export function toPromptJson(prompt: Prompt) {
  return {
    id: prompt.id,
    text: prompt.text,
    category: prompt.category,
    market: prompt.market,
    status: prompt.status,
    created_at: prompt.createdAt,
    updated_at: prompt.updatedAt,
  }
}

export function toCompetitorJson(competitor: Competitor) {
  return {
    id: competitor.id,
    name: competitor.name,
    domains: competitor.domains,
    confirmed: competitor.confirmed,
    source: competitor.source,
    site_id: competitor.siteId,
    aliases: competitor.aliases,
    answers: competitor.answers,
  }
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

export function toCardJson(card: ActionCard) {
  return {
    id: card.id,
    title: card.title,
    why: card.why,
    detail: card.detail,
    category: card.category,
    impact: card.impact,
    effort: card.effort,
    target_metric: card.targetMetric,
    kind: card.kind,
    cadence: card.cadence,
    period: card.period,
    status: card.status,
    target_prompts: card.targetPrompts,
    target_platforms: card.targetPlatforms,
    target_url: card.targetUrl,
    created_at: card.createdAt,
    outcome:
      card.outcome === null
        ? null
        : {
            marked_done_at: card.outcome.markedDoneAt,
            result_due: card.outcome.resultDue,
            verdict: card.outcome.verdict,
            summary: card.outcome.summary,
          },
  }
}
