import type { ScanBudget, TargetOutcome } from '../../../http/dashboard/operations/get-scan.ts'

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
