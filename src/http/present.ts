import type { Catalog } from '../catalog/catalog.ts'
import type { ActionCard } from '../domain/action-card.ts'
import type { Competitor } from '../domain/competitor.ts'
import type { Prompt } from '../domain/prompt.ts'
import type { Site } from '../domain/site.ts'

/** A site as the API shows it (contract/api 11), with the time of its last scan from the catalog. */
export function presentSite(catalog: Catalog, site: Site) {
  return {
    id: site.id,
    name: site.name,
    domain: site.domain,
    created_at: site.createdAt,
    platforms: site.platforms,
    last_answer_scan: catalog.scans.last(site.id),
  }
}

/** A prompt as the API shows it (contract/api 11). */
export function presentPrompt(prompt: Prompt) {
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

/** A competitor as the API shows it (contract/api 11): no number, no spellings. */
export function presentCompetitor(competitor: Competitor) {
  return {
    id: competitor.id,
    name: competitor.name,
    domains: competitor.domains,
    confirmed: competitor.confirmed,
    source: competitor.source,
  }
}

/** An action card as the API shows it (contract/api 11), its outcome included. */
export function presentCard(card: ActionCard) {
  const { outcome } = card
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
    outcome: outcome && {
      marked_done_at: outcome.markedDoneAt,
      result_due: outcome.resultDue,
      verdict: outcome.verdict,
      summary: outcome.summary,
    },
  }
}
