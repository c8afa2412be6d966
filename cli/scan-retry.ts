import { toDay } from '../src/domain/day.ts'
import { UsageError } from '../src/errors.ts'
import { maintainAfterImport } from './automatic-maintenance.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { DAY_FORM } from './flags.ts'
import { printJson, printLine, printNote } from './io.ts'
import { BUDGET_FLAG } from './scan-flags.ts'
import { endIfStopped, isWhole, openScanProgress, printResult, toResultJson } from './scan-output.ts'
import { toShownDomain } from './shown-domain.ts'
import { withAppAndSite } from './with-app.ts'

export const retry = defineCommand({
  summary: 'Ask calls again that were cut off after they were sent',
  notes: [
    "Such a call may have been bought, and is bought a second time then; the provider's bill or list of requests says. What it may have cost the first time stays counted.",
    'Calls that failed or were skipped need no retry: nothing was bought, and the next `scan run` of their day asks them.',
  ],
  args: {
    ...SITE_FLAG,
    uncertain: { type: 'boolean', description: 'say that calls may be bought twice; required' },
    date: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'UTC day of the calls (default today)' },
    ...BUDGET_FLAG,
    ...JSON_FLAG,
  },
  examples: [
    'scan retry --uncertain --site acme.com',
    'scan retry --uncertain --site acme.com --date 2026-11-20 --budget 1',
  ],
  async run(context) {
    const { args, io, environment, clock, signal } = context
    if (!args.uncertain) throw new UsageError('give --uncertain to say that calls may be bought twice')
    const [{ requireScanSetup }, { retrySite }] = await Promise.all([
      import('../src/collect/scan-setup.ts'),
      import('../src/collect/scan-site.ts'),
    ])
    return withAppAndSite(context, args.site, async (app, site) => {
      const { config, change } = app
      const setup = await requireScanSetup(config.dataDir, environment)
      const day = args.date ?? toDay(clock.now())
      const progress = openScanProgress(site, context)
      const result = await retrySite({ change, config, environment, setup }, site, day, {
        runMicros: args.budget,
        signal,
        onProgress: progress.report,
        onWait: () => printNote(io, 'waiting for another scan of this site'),
      }).finally(progress.close)
      if (args.json) printJson(io, toResultJson(result))
      else if (result.calls === 0) printLine(io, `${toShownDomain(site.domain)}: no call of ${day} is uncertain`)
      else printResult(io, site, result)
      endIfStopped(result, context)
      if (result.answered > 0) await maintainAfterImport(app, site, context)
      return isWhole(result) ? 0 : 3
    })
  },
})
