import type { Budget } from '../domain/call.ts'
import { monthOf } from '../domain/day.ts'
import type { Store } from './store.ts'

/** What organizations have spent on paid calls, with what is reserved for those under way; in micro-dollars. */
export interface Spend {
  /** Adds to a UTC day; a negative number takes back what was reserved. Inside the transaction that changes the call. */
  add(organizationId: string, target: string, day: string, micros: number): void
  /** Which limit a further amount would exceed, in words for the operator; undefined when it fits. */
  findExceeded(amount: Amount, budget: Budget): string | undefined
  /** Of a UTC day and its month so far, in all or of one target. */
  sum(
    organizationId: string,
    day: string,
    target?: string,
  ): { readonly dayMicros: number; readonly monthMicros: number }
}

export interface Amount {
  readonly organizationId: string
  readonly target: string
  /** UTC day on which it is spent. */
  readonly day: string
  readonly micros: number
  /** Spent by the run so far. */
  readonly runMicros: number
}

export function openSpend(store: Store): Spend {
  const { db } = store
  const upsert = db.prepare<[string, string, string, number]>(`
    INSERT INTO spend (organization_id, target, day, micros) VALUES (?, ?, ?, ?)
    ON CONFLICT (organization_id, day, target) DO UPDATE SET micros = max(0, micros + excluded.micros)`)
  const update = db.prepare<[number, string, string, string]>(
    'UPDATE spend SET micros = max(0, micros + ?) WHERE organization_id = ? AND target = ? AND day = ?',
  )
  const select = db.prepare<[object], { readonly dayMicros: number; readonly monthMicros: number }>(`
    SELECT coalesce(sum(micros) FILTER (WHERE day = @day), 0) AS dayMicros, coalesce(sum(micros), 0) AS monthMicros
    FROM spend
    WHERE organization_id = @organizationId AND day BETWEEN @month || '-01' AND @month || '-31'
      AND (@target IS NULL OR target = @target)`)

  const sum: Spend['sum'] = (organizationId, day, target) =>
    select.get({ organizationId, day, month: monthOf(day), target: target ?? null }) ?? { dayMicros: 0, monthMicros: 0 }

  return {
    add(organizationId, target, day, micros) {
      store.write(() => {
        if (micros >= 0) upsert.run(organizationId, target, day, micros)
        else update.run(micros, organizationId, target, day)
      })
    },
    findExceeded({ organizationId, target, day, micros, runMicros }, budget) {
      if (isOver(runMicros + micros, budget.runMicros)) return `this run's budget of ${usd(budget.runMicros)}`
      const own = budget.targets.get(target)
      const scopes = [
        { spent: sum(organizationId, day), limits: budget, whose: '' },
        ...(own ? [{ spent: sum(organizationId, day, target), limits: own, whose: ` for ${target}` }] : []),
      ]
      for (const { spent, limits, whose } of scopes) {
        if (isOver(spent.dayMicros + micros, limits.dayMicros))
          return `the day's budget of ${usd(limits.dayMicros)}${whose}`
        if (isOver(spent.monthMicros + micros, limits.monthMicros)) {
          return `the month's budget of ${usd(limits.monthMicros)}${whose}`
        }
      }
      return undefined
    },
    sum: (organizationId, day, target) => store.read(() => sum(organizationId, day, target)),
  }
}

function isOver(micros: number, limit: number | undefined): boolean {
  return limit !== undefined && micros > limit
}

function usd(micros: number | undefined): string {
  return `${((micros ?? 0) / 1_000_000).toFixed(2)} USD`
}
