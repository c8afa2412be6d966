import type { ScanPlan } from '../src/collect/plan.ts'
import type { Outlook } from '../src/collect/scan-outlook.ts'
import { countOf } from './format.ts'
import { printLine, printNote, type Io } from './io.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'

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
