import { toDollars } from '../src/collect/micros.ts'
import type { RunTotals } from '../src/collect/run-counts.ts'
import type { ScanResult } from '../src/collect/run-scan.ts'
import type { Site } from '../src/domain/site.ts'
import type { Context } from './command.ts'
import { countOf } from './format.ts'
import { printLine, printNote, type Io } from './io.ts'
import { openProgress } from './progress.ts'
import { Interruption } from './run.ts'
import { toShownDomain } from './shown-domain.ts'
import { printTable } from './table.ts'
import { toUsd } from './usd.ts'

/** How far the scan of a site has come, with what it cost. */
export function openScanProgress(site: Site, { io, clock }: Pick<Context, 'io' | 'clock'>) {
  const progress = openProgress(`asking for ${toShownDomain(site.domain)}`, io, clock)
  return {
    report: ({ done, calls, costMicros }: RunTotals) =>
      progress.report({ done, total: calls, note: `${done} of ${countOf(calls, 'call')}, ${toUsd(costMicros)} USD` }),
    close: () => progress.close(),
  }
}

/** A scan as `--json` prints it. */
export function toResultJson(result: ScanResult): object {
  const { recovered } = result
  return {
    site_id: result.siteId,
    date: result.day,
    run_id: result.runId,
    calls: result.calls,
    made_before: result.askedBefore,
    answered: result.answered,
    no_answer: result.noAnswer,
    failed: result.failed,
    uncertain: result.uncertain,
    skipped_budget: result.skippedBudget,
    left: result.left,
    cost_usd: toDollars(result.costMicros),
    seconds: result.seconds,
    reasons: result.reasons,
    off: result.off,
    recovered,
  }
}

export function printResult(io: Io, site: Site, result: ScanResult): void {
  const domain = toShownDomain(site.domain)
  const { recovered, calls, askedBefore } = result
  if (recovered.runs > 0) {
    printNote(
      io,
      `an earlier scan was cut off: ${countOf(recovered.found, 'answer')} of it found, ${countOf(recovered.uncertain, 'call')} uncertain`,
    )
  }
  if (calls === 0) {
    printLine(io, `${domain}: nothing is open; ${countOf(askedBefore, 'call')} of ${result.day} were made before`)
    return
  }
  printTable(
    io,
    ['site', 'calls', 'answered', 'no answer', 'failed', 'uncertain', 'skipped', 'left', 'usd'],
    [
      [
        domain,
        calls,
        result.answered,
        result.noAnswer,
        result.failed,
        result.uncertain,
        result.skippedBudget,
        result.left,
        toUsd(result.costMicros),
      ],
    ],
  )
  for (const { reason, calls: count } of result.reasons) printLine(io, `${countOf(count, 'call')}: ${reason}`)
  for (const { provider, reason } of result.off) {
    printNote(io, `${provider} is not asked any more by this scan: ${reason}`)
  }
  if (result.uncertain > 0) {
    printNote(
      io,
      `Uncertain calls may have been bought. To ask them again: answerlake scan retry --uncertain --site ${site.id} --date ${result.day}`,
    )
  }
}

/** Whether everything that was to be asked has its end. */
export function isWhole({ failed, uncertain, skippedBudget, left }: ScanResult): boolean {
  return failed + uncertain + skippedBudget + left === 0
}

/** After SIGINT and SIGTERM: the command ends as one that was stopped. Throws Interruption. */
export function endIfStopped({ left }: ScanResult, { signal }: Pick<Context, 'signal'>): void {
  const { reason } = signal as { readonly reason: unknown }
  if (reason instanceof Interruption) {
    throw new Interruption(reason.signal, `${countOf(left, 'call')} left for the next \`scan run\``)
  }
}
