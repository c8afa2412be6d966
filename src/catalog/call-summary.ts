import { CALL_STATUSES, type CallKind, type CallStatus, type TargetRole } from '../domain/call.ts'
import type { EngineId, ProviderId } from '../domain/enums.ts'
import type { Store } from './store.ts'

/** Calls of a site and kind: of one day, of one run, or all. */
export interface SummaryOf {
  readonly siteId: string
  readonly kind: CallKind
  readonly day?: string | undefined
  readonly runId?: string | undefined
}

/** What became of the calls to one target. */
export interface TargetSummary {
  readonly target: string
  readonly role: TargetRole
  readonly engine: EngineId
  readonly provider: ProviderId
  readonly model: string | undefined
  readonly calls: number
  readonly byStatus: Readonly<Record<CallStatus, number>>
  /** Of the answered ones, those for which the engine searched the web; undefined where that is never told. */
  readonly searched: number | undefined
  /** Spent, with what is reserved for those under way. */
  readonly costMicros: number
  readonly reservedMicros: number
  /** Of those that were answered: from the asking to the end. */
  readonly medianMs: number | undefined
  /** Why calls failed, were skipped or are uncertain; the most frequent first. */
  readonly reasons: readonly { readonly status: CallStatus; readonly reason: string; readonly calls: number }[]
}

interface Counted {
  readonly target: string
  readonly role: TargetRole
  readonly engine: EngineId
  readonly provider: ProviderId
  readonly model: string | null
  readonly status: CallStatus
  readonly calls: number
  readonly searched: number | null
  readonly cost_micros: number
  readonly reserved_micros: number
}

interface Reason {
  readonly target: string
  readonly status: CallStatus
  readonly reason: string
  readonly calls: number
}

export function openCallSummary(store: Store): (of: SummaryOf) => TargetSummary[] {
  const { db } = store
  const chosen = `
    FROM calls WHERE site_id = @siteId AND kind = @kind AND (@day IS NULL OR day = @day)
      AND (@runId IS NULL OR run_id = @runId)`
  const count = db.prepare<[object], Counted>(`
    SELECT target, max(role) AS role, max(engine) AS engine, max(provider) AS provider, max(model) AS model, status,
      count(*) AS calls, sum(searched) FILTER (WHERE status = 'answered') AS searched, sum(cost_micros) AS cost_micros,
      sum(reserved_micros) AS reserved_micros
    ${chosen} GROUP BY target, status`)
  const selectReasons = db.prepare<[object], Reason>(`
    SELECT target, status, reason, count(*) AS calls
    ${chosen} AND reason IS NOT NULL AND status IN ('failed', 'uncertain', 'skipped_budget')
    GROUP BY target, status, reason ORDER BY calls DESC, status, reason`)
  const selectMedians = db.prepare<[object], { readonly target: string; readonly median_ms: number }>(`
    SELECT target, avg(ms) AS median_ms FROM (
      SELECT target, ended_ms - asked_ms AS ms,
        row_number() OVER (PARTITION BY target ORDER BY ended_ms - asked_ms) AS place,
        count(*) OVER (PARTITION BY target) AS calls
      ${chosen} AND status IN ('answered', 'no_answer')
    ) WHERE place IN ((calls + 1) / 2, (calls + 2) / 2) GROUP BY target`)

  return ({ siteId, kind, day = null, runId = null }) => {
    const of = { siteId, kind, day, runId }
    const [counts, reasons, medians] = store.read(() => [count.all(of), selectReasons.all(of), selectMedians.all(of)])
    return [...Map.groupBy(counts, ({ target }) => target)].map(([target, rows]) =>
      toSummary(rows, {
        reasons: reasons.filter((each) => each.target === target),
        medianMs: medians.find((each) => each.target === target)?.median_ms,
      }),
    )
  }
}

function toSummary(
  rows: readonly Counted[],
  { reasons, medianMs }: { readonly reasons: readonly Reason[]; readonly medianMs: number | undefined },
): TargetSummary {
  const [first] = rows
  if (!first) throw new Error('a group has no rows')
  const sum = (of: (row: Counted) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const countOf = (status: CallStatus): number => rows.find((row) => row.status === status)?.calls ?? 0
  return {
    target: first.target,
    role: first.role,
    engine: first.engine,
    provider: first.provider,
    model: first.model ?? undefined,
    calls: sum(({ calls }) => calls),
    byStatus: Object.fromEntries(CALL_STATUSES.map((status) => [status, countOf(status)])) as Record<
      CallStatus,
      number
    >,
    searched: rows.some(({ searched }) => searched !== null) ? sum(({ searched }) => searched ?? 0) : undefined,
    costMicros: sum((row) => row.cost_micros),
    reservedMicros: sum((row) => row.reserved_micros),
    medianMs,
    reasons: reasons.map(({ status, reason, calls }) => ({ status, reason, calls })),
  }
}
