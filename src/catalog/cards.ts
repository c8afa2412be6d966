import { toTimestamp } from '../clock.ts'
import {
  canMoveCard,
  type ActionCard,
  type CardCount,
  type CardFilter,
  type CardFinding,
  type CardOutcome,
  type CardStatus,
  type CardVerdict,
  type TargetPrompt,
} from '../domain/action-card.ts'
import type { EngineId } from '../domain/enums.ts'
import { CommandError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Store } from './store.ts'

/** Action Center cards (spec.md 2.6, 3.2; decisions.md 9). */
export interface Cards {
  /** `open` and `done` alone or `all`, dismissed ones too; by impact, then newest. */
  list(siteId: string, filter: CardFilter): ActionCard[]
  find(siteId: string, id: string): ActionCard | undefined
  get(siteId: string, id: string): ActionCard
  /** The card of a finding's identity and period, in any status. */
  findByIdentity(siteId: string, identity: string, period: string | null): ActionCard | undefined
  /** A new open card. The same identity in the same period is a CommandError. */
  create(siteId: string, finding: CardFinding): ActionCard
  /**
   * Brings a rule's findings in, in one transaction: a new identity makes an open card, an open card gets the new evidence,
   * a done or dismissed one stays as it is.
   */
  upsert(siteId: string, findings: readonly CardFinding[]): { created: number; updated: number; unchanged: number }
  /** Open to done, with the measurement before. */
  markDone(siteId: string, id: string, outcome: Omit<CardOutcome, 'after' | 'verdict'>): ActionCard
  /** Open to dismissed. */
  dismiss(siteId: string, id: string): ActionCard
  /** Done or dismissed to open; an outcome is dropped. */
  reopen(siteId: string, id: string): ActionCard
  /** The measurement of a done card, now or again. A card that isn't done any more is passed over. */
  saveOutcome(siteId: string, id: string, outcome: Pick<CardOutcome, 'before' | 'after' | 'verdict' | 'summary'>): void
}

interface CardRow {
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

const COLUMNS = [
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

export function openCards(store: Store): Cards {
  const { db } = store
  const select = `SELECT ${COLUMNS.join(', ')} FROM cards`
  const selectList = db.prepare<[object], CardRow>(`
    ${select}
    WHERE site_id = @siteId AND (@filter = 'all' OR status = @filter)
    ORDER BY CASE impact WHEN 'High' THEN 1 WHEN 'Medium' THEN 2 ELSE 3 END, created_at DESC, id DESC`)
  const selectOne = db.prepare<[string, string], CardRow>(`${select} WHERE site_id = ? AND id = ?`)
  const selectByIdentity = db.prepare<[string, string, string], CardRow>(
    `${select} WHERE site_id = ? AND identity = ? AND coalesce(period, '') = ?`,
  )
  const replace = db.prepare<[CardRow]>(`
    INSERT INTO cards (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})
    ON CONFLICT (id) DO UPDATE SET ${COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`)

  const find = (siteId: string, id: string) => {
    const row = store.read(() => selectOne.get(siteId, id))
    return row && toCard(row)
  }
  const get = (siteId: string, id: string) => {
    const card = find(siteId, id)
    if (!card) throw new CommandError(`The site has no card "${id}". \`answerlake actions list\` shows them.`)
    return card
  }
  const findByIdentity = (siteId: string, identity: string, period: string | null) => {
    const row = store.read(() => selectByIdentity.get(siteId, identity, period ?? ''))
    return row && toCard(row)
  }
  const keep = (card: ActionCard): ActionCard => {
    const kept = { ...card, updatedAt: toTimestamp(store.clock.now()) }
    replace.run(toRow(kept))
    return kept
  }
  const create = (siteId: string, finding: CardFinding): ActionCard => {
    if (findByIdentity(siteId, finding.identity, finding.period)) {
      throw new CommandError(`There is already a card for "${finding.identity}".`)
    }
    const id = newId('act', store.clock.now(), store.random)
    const createdAt = toTimestamp(store.clock.now())
    return keep({ ...finding, id, siteId, status: 'open', createdAt, updatedAt: createdAt, outcome: null })
  }
  const move = (siteId: string, id: string, to: CardStatus, outcome: CardOutcome | null): ActionCard =>
    store.write(() => {
      const card = get(siteId, id)
      if (!canMoveCard(card.status, to)) throw new CommandError(describeMove(card, to))
      return keep({ ...card, status: to, outcome })
    })

  return {
    list: (siteId, filter) => store.read(() => selectList.all({ siteId, filter })).map(toCard),
    find,
    get,
    findByIdentity,
    create: (siteId, finding) => store.write(() => create(siteId, finding)),
    upsert: (siteId, findings) =>
      store.write(() => {
        const counts = { created: 0, updated: 0, unchanged: 0 }
        for (const finding of findings) {
          const card = findByIdentity(siteId, finding.identity, finding.period)
          if (!card) {
            create(siteId, finding)
            counts.created += 1
          } else if (card.status === 'open' && !hasSameEvidence(card, finding)) {
            keep({ ...card, ...finding })
            counts.updated += 1
          } else {
            counts.unchanged += 1
          }
        }
        return counts
      }),
    markDone: (siteId, id, outcome) => move(siteId, id, 'done', { ...outcome, after: null, verdict: null }),
    dismiss: (siteId, id) => move(siteId, id, 'dismissed', null),
    reopen: (siteId, id) => move(siteId, id, 'open', null),
    saveOutcome: (siteId, id, outcome) => {
      store.write(() => {
        const card = get(siteId, id)
        if (card.outcome) keep({ ...card, outcome: { ...card.outcome, ...outcome } })
      })
    },
  }
}

function describeMove(card: ActionCard, to: CardStatus): string {
  if (card.status === to) return `The card ${card.id} is already ${to}.`
  return `The card ${card.id} is ${card.status}; reopen it first: \`answerlake actions reopen\`.`
}

function hasSameEvidence(card: ActionCard, finding: CardFinding): boolean {
  return JSON.stringify(toRow(card)) === JSON.stringify(toRow({ ...card, ...finding }))
}

function toCard(row: CardRow): ActionCard {
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
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    outcome: toOutcome(row),
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

function toRow(card: ActionCard): CardRow {
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
