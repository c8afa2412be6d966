import type { Catalog } from '../catalog/catalog.ts'
import type { SpendLimits } from '../domain/call.ts'
import type { Site } from '../domain/site.ts'
import { toDollars } from './micros.ts'
import type { ScanPlan } from './plan.ts'
import type { ScanSetup } from './scan-setup.ts'

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
export function toPlanJson({ plan, done, budget }: Outlook) {
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function toNullable(micros: number | undefined): number | null {
  return micros === undefined ? null : toDollars(micros)
}
