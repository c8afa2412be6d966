import type { App } from '../src/app.ts'
import { toOutlook, toPlanJson } from '../src/collect/scan-outlook.ts'
import type { SiteScan } from '../src/collect/scan-site.ts'
import type { ScanSetup } from '../src/collect/scan-setup.ts'
import { toDay } from '../src/domain/day.ts'
import type { Site } from '../src/domain/site.ts'
import { CommandError } from '../src/errors.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson, printNote } from './io.ts'
import { BUDGET_FLAG, SCAN_FLAGS, toSelection } from './scan-flags.ts'
import { endIfStopped, isWhole, openScanProgress, printResult, toResultJson } from './scan-output.ts'
import { printPlan, printUnasked } from './scan-plan-output.ts'
import { withApp } from './with-app.ts'

export const run = defineCommand({
  summary: "Ask the configured targets today's prompts and import the answers",
  notes: [
    'Asks what was not asked today yet, so a second call goes on where the first was stopped. Money is reserved before each call and never exceeds the budget. Ctrl-C begins no further call and waits for those under way; a second one gives them up.',
    'Exits 3 when some calls failed, were skipped for want of budget, or may have been bought without an answer.',
  ],
  args: {
    ...OPTIONAL_SITE_FLAG,
    ...SCAN_FLAGS,
    ...BUDGET_FLAG,
    'dry-run': { type: 'boolean', description: 'show the plan with its cost, as `scan plan` does, and ask nobody' },
    ...JSON_FLAG,
  },
  examples: [
    'scan run --site acme.com --budget 5',
    'scan run --site acme.com --platforms perplexity --prompts p1,p2',
    'scan run --dry-run',
  ],
  async run(context) {
    const { args, io, environment, clock } = context
    const selection = toSelection(args)
    const [{ planSite, requireScanSetup }, { scanSite }] = await Promise.all([
      import('../src/collect/scan-setup.ts'),
      import('../src/collect/scan-site.ts'),
    ])
    return withApp(context, async (app) => {
      const { catalog, config, change } = app
      const setup = await requireScanSetup(config.dataDir, environment)
      const sites = listSites(app, args.site)
      const printAll = (results: readonly object[]): void =>
        printJson(io, args.site === undefined ? { data: results } : results[0])
      if (args['dry-run']) {
        const outlooks = sites.map((site) => {
          const day = toDay(clock.now())
          const request = { site, day, seed: 0, enginesOff: config.enginesOff, ...selection }
          return toOutlook(catalog, setup, site, planSite(setup, catalog.prompts, request))
        })
        if (args.json) printAll(outlooks.map(toPlanJson))
        else for (const outlook of outlooks) printPlan(io, outlook)
        return 0
      }
      const scans: SiteScan[] = []
      const begunMs = clock.now()
      for (const site of sites) {
        const progress = openScanProgress(site, context)
        const scan = await scanSite({ change, config, environment, setup }, site, selection, {
          runMicros: args.budget && Math.max(0, args.budget - sumSpent(app, sites, begunMs)),
          signal: context.signal,
          onProgress: progress.report,
          onWait: () => printNote(io, 'waiting for another scan of this site'),
        })
          .catch((error: unknown) => {
            if (args.site !== undefined || context.signal.aborted || !(error instanceof CommandError)) throw error
            for (const line of error.lines) printNote(io, line)
            return undefined
          })
          .finally(progress.close)
        if (scan === undefined) continue
        scans.push(scan)
        printUnasked(io, scan.plan)
        if (!args.json) printResult(io, site, scan.result)
        if (context.signal.aborted) break
        if (scan.result.answered > 0) await maintainAfterImport(app, site, context)
      }
      if (args.json) printAll(scans.map(({ result }) => toResultJson(result)))
      const last = scans.at(-1)
      if (last === undefined) return 1
      endIfStopped(last.result, context)
      return scans.length === sites.length && scans.every((scan) => isComplete(scan, setup)) ? 0 : 3
    })
  },
})

/** The site that was named, else all that have something to ask. */
function listSites({ catalog }: App, named: string | undefined): readonly Site[] {
  if (named !== undefined) return [catalog.sites.get(named)]
  return catalog.sites.list().filter(({ id }) => catalog.prompts.list(id, { status: 'active', limit: 1 }).total > 0)
}

/** What runs of the sites have spent since then, and what they have reserved: a run that failed or left tasks did so too. */
function sumSpent({ catalog }: App, sites: readonly Site[], sinceMs: number): number {
  return sites
    .flatMap(({ id }) => catalog.scanRuns.list(id, 'answer'))
    .reduce((sum, { startedMs, spentMicros }) => sum + (startedMs >= sinceMs ? spentMicros : 0), 0)
}

/** A target that could not be asked for want of its secret is one that failed. */
function isComplete({ plan, result }: SiteScan, { secrets }: ScanSetup): boolean {
  return isWhole(result) && plan.cannot.every(({ target }) => secrets.get(target.provider) !== undefined)
}
