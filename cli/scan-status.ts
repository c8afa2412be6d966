import type { TargetSummary } from '../src/catalog/call-summary.ts'
import { toTimestamp } from '../src/clock.ts'
import { readScanState, type ScanState, toScanStatus, toStateJson } from '../src/collect/scan-state.ts'
import type { Site } from '../src/domain/site.ts'
import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { countOf } from './format.ts'
import { DAY_FORM } from './flags.ts'
import { printJson, printLine, printNote, type Io } from './io.ts'
import { toShownDomain } from './shown-domain.ts'
import { printTable, toMinute } from './table.ts'
import { toUsd } from './usd.ts'
import { withCatalog } from './with-catalog.ts'

export const status = defineCommand({
  summary: 'Show what became of the calls of the last scan, by target',
  notes: [
    'An uncertain call was cut off after it was sent, so it may have been bought; `scan retry --uncertain` asks it again. Seconds are the median of those that were answered.',
  ],
  args: {
    ...OPTIONAL_SITE_FLAG,
    date: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'UTC day (default: that of the last scan)' },
    ...JSON_FLAG,
  },
  examples: ['scan status', 'scan status --site acme.com --date 2026-11-20 --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const sites = args.site === undefined ? catalog.sites.list() : [catalog.sites.get(args.site)]
      const states = sites.flatMap((site) => {
        const state = readScanState(catalog, site, args.date)
        return state === undefined && args.site === undefined ? [] : [{ site, state }]
      })
      if (args.json) return printJson(io, { data: states.map(({ site, state }) => toStateJson(site, state)) })
      for (const { site, state } of states) printState(io, site, state)
      if (states.length === 0) printNote(io, 'Nothing was asked yet; see `answerlake scan plan`.')
    }),
})

function printState(io: Io, site: Site, state: ScanState | undefined): void {
  const domain = toShownDomain(site.domain)
  if (state === undefined) return printNote(io, `Nothing was asked for ${domain} yet; see \`answerlake scan plan\`.`)
  printLine(io, `${domain}, ${state.day}${describeRun(state)}`)
  printTable(
    io,
    [
      'target',
      'calls',
      'planned',
      'answered',
      'no answer',
      'searched %',
      'failed',
      'uncertain',
      'skipped',
      'usd',
      'seconds',
    ],
    state.targets.map((one) => [
      one.target,
      one.calls,
      one.byStatus.planned + one.byStatus.asked + one.byStatus.task,
      one.byStatus.answered,
      one.byStatus.no_answer,
      toShare(one),
      one.byStatus.failed,
      one.byStatus.uncertain,
      one.byStatus.skipped_budget,
      toUsd(one.costMicros + one.reservedMicros),
      one.medianMs === undefined ? null : (one.medianMs / 1_000).toFixed(1),
    ]),
  )
  for (const { target, reasons } of state.targets) {
    for (const { status: what, reason, calls } of reasons) {
      printLine(io, `${target}: ${countOf(calls, 'call')} ${what.replaceAll('_', ' ')}: ${reason}`)
    }
  }
}

function describeRun({ run, isRunning }: ScanState): string {
  if (run === undefined) return ''
  const since = `${toMinute(toTimestamp(run.startedMs))} UTC`
  const what = toScanStatus(run, isRunning)
  if (what === 'running') return `: running since ${since}`
  if (what === 'cut_off') return `: begun ${since} and cut off; the next scan goes on`
  return run.reason === undefined ? `: ${what}, begun ${since}` : `: could not start at ${since}: ${run.reason}`
}

function toShare({ byStatus, searched }: TargetSummary): string | null {
  return searched === undefined || byStatus.answered === 0
    ? null
    : `${Math.round((100 * searched) / byStatus.answered)}`
}
