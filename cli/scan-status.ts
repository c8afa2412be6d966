import type { Catalog } from '../src/catalog/catalog.ts'
import type { TargetSummary } from '../src/catalog/call-summary.ts'
import { toTimestamp } from '../src/clock.ts'
import { toDollars } from '../src/collect/micros.ts'
import type { ScanRun } from '../src/domain/call.ts'
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
        const state = readState(catalog, site, args.date)
        return state === undefined && args.site === undefined ? [] : [{ site, state }]
      })
      if (args.json) return printJson(io, { data: states.map(({ site, state }) => toJson(site, state)) })
      for (const { site, state } of states) printState(io, site, state)
      if (states.length === 0) printNote(io, 'Nothing was asked yet; see `answerlake scan plan`.')
    }),
})

interface ScanState {
  readonly day: string
  readonly run: ScanRun | undefined
  readonly isRunning: boolean
  readonly targets: readonly TargetSummary[]
}

/** The state of a day; undefined where nothing was ever asked. */
function readState(catalog: Catalog, site: Site, given: string | undefined): ScanState | undefined {
  const runs = catalog.scanRuns.list(site.id, 'answer')
  const day = given ?? runs[0]?.day
  if (day === undefined) return undefined
  const run = runs.find((each) => each.day === day)
  return {
    day,
    run,
    isRunning: run !== undefined && catalog.scanRuns.findAlive(site.id, 'answer')?.id === run.id,
    targets: catalog.calls.summarize({ siteId: site.id, kind: 'answer', day }),
  }
}

function toJson(site: Site, state: ScanState | undefined): object {
  return {
    site_id: site.id,
    date: state?.day ?? null,
    run: state?.run === undefined ? null : toRunJson(state.run, state.isRunning),
    targets: (state?.targets ?? []).map((one) => ({
      id: one.target,
      engine: one.engine,
      provider: one.provider,
      model: one.model ?? null,
      role: one.role,
      calls: one.calls,
      ...one.byStatus,
      searched: one.searched ?? null,
      cost_usd: toDollars(one.costMicros),
      reserved_usd: toDollars(one.reservedMicros),
      median_seconds: one.medianMs === undefined ? null : one.medianMs / 1_000,
      reasons: one.reasons,
    })),
  }
}

function toRunJson(run: ScanRun, isRunning: boolean): object {
  return {
    id: run.id,
    status: toStatus(run, isRunning),
    reason: run.reason ?? null,
    started_at: toTimestamp(run.startedMs),
    ended_at: run.endedMs === undefined ? null : toTimestamp(run.endedMs),
    cost_usd: toDollars(run.spentMicros),
  }
}

/** A run that nobody ended was cut off; the next one finds out what became of its calls. */
function toStatus({ status }: ScanRun, isRunning: boolean): string {
  return status === 'running' && !isRunning ? 'cut_off' : status
}

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
  const what = toStatus(run, isRunning)
  if (what === 'running') return `: running since ${since}`
  if (what === 'cut_off') return `: begun ${since} and cut off; the next scan goes on`
  return run.reason === undefined ? `: ${what}, begun ${since}` : `: could not start at ${since}: ${run.reason}`
}

function toShare({ byStatus, searched }: TargetSummary): string | null {
  return searched === undefined || byStatus.answered === 0
    ? null
    : `${Math.round((100 * searched) / byStatus.answered)}`
}
