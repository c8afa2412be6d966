import type {
  ActionCard,
  CardCount,
  CardOutcome,
  CardStatus,
  CardVerdict,
  TargetPrompt,
} from '../domain/action-card.ts'
import type { EngineId } from '../domain/enums.ts'

/** A card as the table `cards` has it. */
export interface CardRow {
  readonly id: string
  readonly site_id: string
  readonly rule: string
  readonly identity: string
  readonly period: string | null
  readonly title: string
  readonly why: string
  readonly detail: string
  readonly category: ActionCard['category']
  readonly impact: ActionCard['impact']
  readonly effort: ActionCard['effort']
  readonly target_metric: ActionCard['targetMetric']
  readonly kind: ActionCard['kind']
  readonly cadence: ActionCard['cadence']
  readonly target_prompts: string
  readonly target_platforms: string
  readonly target_url: string
  readonly found_from: string
  readonly found_to: string
  readonly status: CardStatus
  readonly created_at: string
  readonly updated_at: string
  readonly marked_done_at: string | null
  readonly result_due: string | null
  readonly window_days: number | null
  readonly before_hits: number | null
  readonly before_total: number | null
  readonly after_hits: number | null
  readonly after_total: number | null
  readonly verdict: CardVerdict | null
  readonly summary: string | null
}

export const CARD_COLUMNS = [
  'id',
  'site_id',
  'rule',
  'identity',
  'period',
  'title',
  'why',
  'detail',
  'category',
  'impact',
  'effort',
  'target_metric',
  'kind',
  'cadence',
  'target_prompts',
  'target_platforms',
  'target_url',
  'found_from',
  'found_to',
  'status',
  'created_at',
  'updated_at',
  'marked_done_at',
  'result_due',
  'window_days',
  'before_hits',
  'before_total',
  'after_hits',
  'after_total',
  'verdict',
  'summary',
] as const satisfies readonly (keyof CardRow)[]

export function toCard(row: CardRow): ActionCard {
  return {
    id: row.id,
    siteId: row.site_id,
    rule: row.rule,
    identity: row.identity,
    period: row.period,
    title: row.title,
    why: row.why,
    detail: row.detail,
    category: row.category,
    impact: row.impact,
    effort: row.effort,
    targetMetric: row.target_metric,
    kind: row.kind,
    cadence: row.cadence,
    targetPrompts: JSON.parse(row.target_prompts) as TargetPrompt[],
    targetPlatforms: JSON.parse(row.target_platforms) as EngineId[],
    targetUrl: row.target_url,
    foundFrom: row.found_from,
    foundTo: row.found_to,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    outcome: toOutcome(row),
  }
}

export function toCardRow(card: ActionCard): CardRow {
  const { outcome } = card
  return {
    id: card.id,
    site_id: card.siteId,
    rule: card.rule,
    identity: card.identity,
    period: card.period,
    title: card.title,
    why: card.why,
    detail: card.detail,
    category: card.category,
    impact: card.impact,
    effort: card.effort,
    target_metric: card.targetMetric,
    kind: card.kind,
    cadence: card.cadence,
    target_prompts: JSON.stringify(card.targetPrompts),
    target_platforms: JSON.stringify(card.targetPlatforms),
    target_url: card.targetUrl,
    found_from: card.foundFrom,
    found_to: card.foundTo,
    status: card.status,
    created_at: card.createdAt,
    updated_at: card.updatedAt,
    marked_done_at: outcome?.markedDoneAt ?? null,
    result_due: outcome?.resultDue ?? null,
    window_days: outcome?.windowDays ?? null,
    before_hits: outcome?.before.hits ?? null,
    before_total: outcome?.before.total ?? null,
    after_hits: outcome?.after?.hits ?? null,
    after_total: outcome?.after?.total ?? null,
    verdict: outcome?.verdict ?? null,
    summary: outcome?.summary ?? null,
  }
}

function toOutcome(row: CardRow): CardOutcome | null {
  const before = toCount(row.before_hits, row.before_total)
  const { marked_done_at: markedDoneAt, result_due: resultDue, window_days: windowDays, summary } = row
  if (markedDoneAt === null || resultDue === null || windowDays === null || before === null || summary === null)
    return null
  const after = toCount(row.after_hits, row.after_total)
  return { markedDoneAt, resultDue, windowDays, before, after, verdict: row.verdict, summary }
}

function toCount(hits: number | null, total: number | null): CardCount | null {
  return hits === null || total === null ? null : { hits, total }
}
