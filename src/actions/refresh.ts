import type { Catalog } from '../catalog/catalog.ts'
import type { Clock } from '../clock.ts'
import type { CardFinding } from '../domain/action-card.ts'
import { CARDS_OPEN_PER_RULE_MAX } from '../limits.ts'
import type { ReportContext } from '../reports/run.ts'
import { loadStudentT } from '../statistics/student-t.ts'
import { isDue, isTouched, listTouchedDays, measureOutcome } from './done-cards.ts'
import { openMeasuring } from './measure.ts'
import { toImpact } from './impact.ts'
import { toPeriod } from './periods.ts'
import { openReportRows, type ReportRows } from './report-rows.ts'
import type { Finding, Rule } from './rule.ts'
import { RULES } from './rules/index.ts'
import { readSeen, type Seen, saveSeen } from './seen.ts'
import { openSiteView } from './site-view.ts'
import type { DayRange } from './windows.ts'

/** What the Action Center stands on. */
export interface ActionContext {
  readonly reporting: ReportContext
  readonly clock: Clock
}

export interface RefreshOptions {
  /** Does nothing when neither the site's data nor what was decided about it has changed since the last refresh. */
  readonly onlyWhenChanged?: boolean
  readonly signal?: AbortSignal
}

export interface RefreshResult {
  /** New open cards. */
  readonly created: number
  /** Open cards with new evidence. */
  readonly updated: number
  /** Findings that changed no card. */
  readonly unchanged: number
  /** Done cards whose outcome was measured, for the first time or again. */
  readonly measured: number
}

/**
 * Looks at a site with every rule: a new finding makes an open card, a known one renews the evidence of its open card,
 * none is closed. Then measures the done cards whose result is due, and again those in whose windows answers have
 * changed. Rejects with what reports reject with, and with AbortError.
 */
export async function refreshActions(
  { reporting, clock }: ActionContext,
  siteId: string,
  { onlyWhenChanged = false, signal }: RefreshOptions = {},
): Promise<RefreshResult> {
  const { catalog } = reporting
  const { last, now } = readSeen(catalog, siteId)
  if (onlyWhenChanged && now.snapshot === last.snapshot && now.rev === last.rev) {
    return { created: 0, updated: 0, unchanged: 0, measured: 0 }
  }
  const reports = openReportRows(reporting, siteId)
  const findings = await findAll(catalog, siteId, reports, clock.now(), signal)
  const counts = catalog.cards.upsert(siteId, withinCap(catalog, siteId, findings))
  const measured = await measureDone(catalog, siteId, reports, { last, now, nowMs: clock.now(), signal })
  // What was seen at the beginning: an import that came in between is looked at the next time.
  saveSeen(catalog, siteId, now)
  return { ...counts, measured }
}

async function findAll(
  catalog: Catalog,
  siteId: string,
  reports: ReportRows,
  nowMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly CardFinding[]> {
  const view = openSiteView(catalog, siteId, { reports, studentT: await loadStudentT(), nowMs })
  if (view === undefined) return []
  const found: CardFinding[] = []
  for (const rule of RULES) {
    signal?.throwIfAborted()
    const findings = await rule.find(view)
    const mostAtStakeFirst = findings.toSorted((a, b) => toShare(b) - toShare(a))
    found.push(...mostAtStakeFirst.map((finding) => toCardFinding(rule, finding, view.window, nowMs)))
  }
  return found
}

const toShare = ({ stake }: Finding): number => (stake.total === 0 ? 0 : stake.hits / stake.total)

function toCardFinding(rule: Rule, { target, stake, ...shown }: Finding, window: DayRange, nowMs: number): CardFinding {
  const { name, category, effort, targetMetric, cadence } = rule
  return {
    ...shown,
    rule: name,
    identity: target === '' ? name : `${name}:${target}`,
    period: cadence === undefined ? null : toPeriod(cadence, nowMs),
    category,
    impact: toImpact(stake),
    effort,
    targetMetric,
    kind: cadence === undefined ? 'one_off' : 'ongoing',
    cadence: cadence ?? null,
    foundFrom: window.first,
    foundTo: window.last,
  }
}

/** Findings that have a card, and as many new ones as leave no rule with too many open cards. */
function withinCap({ cards }: Catalog, siteId: string, findings: readonly CardFinding[]): readonly CardFinding[] {
  const known = cards.list(siteId, 'all')
  const identities = new Set(known.map(({ identity }) => identity))
  const open = new Map<string, number>()
  for (const { rule, status } of known) if (status === 'open') open.set(rule, (open.get(rule) ?? 0) + 1)
  return findings.filter(({ rule, identity, kind }) => {
    if (kind === 'ongoing' || identities.has(identity)) return true
    const count = (open.get(rule) ?? 0) + 1
    if (count > CARDS_OPEN_PER_RULE_MAX) return false
    open.set(rule, count)
    return true
  })
}

async function measureDone(
  catalog: Catalog,
  siteId: string,
  reports: ReportRows,
  { last, now, nowMs, signal }: { last: Seen; now: Seen; nowMs: number; signal: AbortSignal | undefined },
): Promise<number> {
  const touched = listTouchedDays(catalog, siteId, last.snapshot, now.snapshot)
  const measuring = await openMeasuring(catalog, siteId, reports)
  let measured = 0
  for (const card of catalog.cards.list(siteId, 'done')) {
    const isStale = last.rev !== now.rev || isDue(card, nowMs) || isTouched(card, touched, nowMs)
    if (card.outcome === null || !isStale) continue
    signal?.throwIfAborted()
    catalog.cards.saveOutcome(siteId, card.id, await measureOutcome(measuring, card, card.outcome, nowMs))
    measured += 1
  }
  return measured
}
