import type { Schemas } from '../../api.ts'

/** `/ui/v1/sites/{site_id}/scan`, as far as it is shown. Money is in US dollars. */
export type ScanReply = { readonly configured: false; readonly why: string } | ScanLook

/** Calls that a scan would ask now, with what they cost at least and at most. */
export interface OpenCalls {
  readonly calls: number
  readonly cost_usd_low: number
  readonly cost_usd_high: number
}

export interface ScanTarget {
  readonly id: string
  readonly engine: Schemas['EngineId']
  readonly provider_name: string
  readonly model: string | null
  readonly role: 'main' | 'shadow'
  readonly call_usd_low: number
  readonly call_usd_high: number
  readonly usd_day: number | null
  readonly usd_month: number | null
  readonly terms: string
  /** Why it can't be asked. */
  readonly problem: string | null
  readonly planned_calls: number
  readonly open: OpenCalls
}

export interface ScanBudget {
  readonly usd_day: number | null
  readonly usd_month: number | null
  readonly spent_usd_day: number
  readonly spent_usd_month: number
}

export interface ScanRun {
  readonly id: string
  readonly date: string
  readonly status: 'running' | 'complete' | 'partial' | 'failed' | 'cut_off'
  readonly reason: string | null
  readonly started_at: string
  readonly ended_at: string | null
  readonly cost_usd: number
}

/** What became of the calls to a target on a day. */
export interface TargetOutcome {
  readonly id: string
  readonly engine: Schemas['EngineId']
  readonly calls: number
  readonly planned: number
  readonly asked: number
  readonly task: number
  readonly answered: number
  readonly no_answer: number
  readonly failed: number
  readonly uncertain: number
  readonly skipped_budget: number
  readonly cost_usd: number
  readonly reserved_usd: number
  readonly median_seconds: number | null
  readonly reasons: readonly { readonly status: string; readonly reason: string; readonly calls: number }[]
}

export interface ScanLook {
  readonly configured: true
  readonly targets: readonly ScanTarget[]
  readonly plan: {
    readonly date: string
    readonly samples: number
    readonly calls: number
    readonly made: number
    readonly open: OpenCalls
    readonly minutes: number
    readonly cannot: readonly { readonly target: string; readonly reason: string; readonly prompts: number }[]
    readonly budget: ScanBudget | null
  }
  readonly schedules: readonly { readonly cron: string; readonly zone: string; readonly next_at: string | null }[]
  readonly running: ScanRun | null
  readonly runs: readonly ScanRun[]
  readonly last: { readonly date: string; readonly targets: readonly TargetOutcome[] } | null
}

/** What is left of the budgets of the day and the month, whichever is less; undefined where neither is bounded. */
export function leftOf(budget: ScanBudget | null): number | undefined {
  if (budget === null) return undefined
  const { usd_day, usd_month, spent_usd_day, spent_usd_month } = budget
  const rests = [
    ...(usd_day === null ? [] : [usd_day - spent_usd_day]),
    ...(usd_month === null ? [] : [usd_month - spent_usd_month]),
  ]
  return rests.length === 0 ? undefined : Math.max(0, Math.min(...rests))
}

/** How far the calls of a day are. */
export function countDone(targets: readonly TargetOutcome[]): { readonly done: number; readonly calls: number } {
  const sum = (of: (target: TargetOutcome) => number): number => targets.reduce((all, target) => all + of(target), 0)
  const calls = sum((target) => target.calls)
  return { calls, done: calls - sum(({ planned, asked, task }) => planned + asked + task) }
}

/** Why calls of a day were not answered, over all targets, the most frequent first. */
export function listReasons(targets: readonly TargetOutcome[]) {
  return targets
    .flatMap(({ id, reasons }) => reasons.map((reason) => ({ ...reason, target: id })))
    .toSorted((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1))
}
