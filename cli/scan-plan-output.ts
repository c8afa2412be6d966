import type { Catalog } from '../src/catalog/catalog.ts'
import type { ScanPlan } from '../src/collect/plan.ts'
import { toDollars } from '../src/collect/micros.ts'
import type { ScanSetup } from '../src/collect/scan-setup.ts'
import type { SpendLimits } from '../src/domain/call.ts'
import type { Site } from '../src/domain/site.ts'
import { countOf } from './format.ts'
import { printLine, printNote, type Io } from './io.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'

/** A plan with what it meets: calls that were made already, and what is left of the budget. */
export interface Outlook {
  readonly plan: ScanPlan
  /** Calls of the day that are not made again, by target. */
  readonly done: ReadonlyMap<string, number>
  readonly budget: (SpendLimits & { readonly spentDayMicros: number; readonly spentMonthMicros: number }) | undefined
}

/** What a plan meets in the catalog. */
export function toOutlook(catalog: Catalog, { config }: ScanSetup, site: Site, plan: ScanPlan): Outlook {
  const calls = catalog.calls.summarize({ siteId: site.id, kind: 'answer', day: plan.day })
  const spent = catalog.spend.sum(site.organizationId, plan.day)
  return {
    plan,
    done: new Map(
      calls.map(({ target, byStatus }) => [
        target,
        byStatus.answered + byStatus.no_answer + byStatus.uncertain + byStatus.asked + byStatus.task,
      ]),
    ),
    budget: config.budget && {
      ...config.budget,
      spentDayMicros: spent.dayMicros,
      spentMonthMicros: spent.monthMicros,
    },
  }
}

/** A plan as `--json` prints it. */
export function toPlanJson({ plan, done, budget }: Outlook): object {
  return {
    site_id: plan.siteId,
    date: plan.day,
    calls: plan.calls.length,
    made: sum([...done.values()]),
    cost_usd_low: toDollars(plan.costLowMicros),
    cost_usd_high: toDollars(plan.costHighMicros),
    minutes: plan.minutes,
    targets: plan.byTarget.map(({ target, calls, costLowMicros, costHighMicros }) => ({
      id: target.id,
      engine: target.engine,
      provider: target.provider,
      model: target.model ?? null,
      role: target.role,
      calls,
      made: done.get(target.id) ?? 0,
      cost_usd_low: toDollars(costLowMicros),
      cost_usd_high: toDollars(costHighMicros),
    })),
    cannot: plan.cannot.map(({ target, reason, prompts }) => ({ target: target.id, reason, prompts })),
    budget:
      budget === undefined
        ? null
        : {
            usd_day: toNullable(budget.dayMicros),
            usd_month: toNullable(budget.monthMicros),
            spent_usd_day: toDollars(budget.spentDayMicros),
            spent_usd_month: toDollars(budget.spentMonthMicros),
          },
  }
}

export function printPlan(io: Io, { plan, done, budget }: Outlook): void {
  const rows = plan.byTarget.map(({ target, calls, costLowMicros, costHighMicros }) => [
    target.id,
    target.provider,
    target.model ?? null,
    calls,
    done.get(target.id) ?? 0,
    toUsd(costLowMicros),
    toUsd(costHighMicros),
  ])
  const total = ['total', null, null, plan.calls.length, sum([...done.values()])]
  printTable(
    io,
    ['target', 'provider', 'model', 'calls', 'made', 'usd low', 'usd high'],
    rows.length > 1 ? [...rows, [...total, toUsd(plan.costLowMicros), toUsd(plan.costHighMicros)]] : rows,
  )
  printUnasked(io, plan)
  if (rows.length === 0) return printNote(io, 'Nothing would be asked.')
  printLine(io, `about ${countOf(plan.minutes, 'minute')}`)
  printLine(io, describeBudget(budget))
}

/** What can't be asked, a line a target and reason. */
export function printUnasked(io: Io, { cannot }: ScanPlan): void {
  for (const { target, reason, prompts } of cannot) {
    printNote(io, `${target.id} is not asked (${countOf(prompts, 'prompt')}): ${reason}`)
  }
}

function describeBudget(budget: Outlook['budget']): string {
  if (budget === undefined) return 'no budget: scan run needs --budget USD, or "budget" in scan.json'
  const limits = [
    ...(budget.dayMicros === undefined
      ? []
      : [`${toUsd(budget.spentDayMicros)} of ${toUsd(budget.dayMicros)} USD of the day's budget spent`]),
    ...(budget.monthMicros === undefined
      ? []
      : [`${toUsd(budget.spentMonthMicros)} of ${toUsd(budget.monthMicros)} USD of the month's`]),
  ]
  return limits.length === 0 ? 'a budget for single targets alone' : limits.join(', ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function toNullable(micros: number | undefined): number | null {
  return micros === undefined ? null : toDollars(micros)
}
