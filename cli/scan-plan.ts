import { toOutlook, toPlanJson } from '../src/collect/scan-outlook.ts'
import { toDay } from '../src/domain/day.ts'
import { defineCommand, JSON_FLAG, SITE_FLAG } from './command.ts'
import { DAY_FORM } from './flags.ts'
import { printJson } from './io.ts'
import { SCAN_FLAGS, toSelection } from './scan-flags.ts'
import { printPlan } from './scan-plan-output.ts'
import { withApp } from './with-app.ts'

export const plan = defineCommand({
  summary: 'Show what a scan would ask, what that costs and how long it takes; asks nobody',
  notes: [
    'The upper figure is what the budget must have room for: each call reserves its upper bound before it is asked, and is settled to what it cost.',
  ],
  args: {
    ...SITE_FLAG,
    date: { type: 'string', valueHint: 'DAY', form: DAY_FORM, description: 'UTC day of the scan (default today)' },
    ...SCAN_FLAGS,
    ...JSON_FLAG,
  },
  examples: ['scan plan --site acme.com', 'scan plan --site acme.com --platforms chatgpt,perplexity --samples 3'],
  async run(context) {
    const { args, io, clock, environment } = context
    const selection = toSelection(args)
    const { planSite, requireScanSetup } = await import('../src/collect/scan-setup.ts')
    await withApp(context, async ({ catalog, config }) => {
      const site = catalog.sites.get(args.site)
      const setup = await requireScanSetup(config.dataDir, environment)
      const day = args.date ?? toDay(clock.now())
      const made = planSite(setup, catalog.prompts, {
        site,
        day,
        seed: 0,
        enginesOff: config.enginesOff,
        ...selection,
      })
      const outlook = toOutlook(catalog, setup, site, made)
      if (args.json) printJson(io, toPlanJson(outlook))
      else printPlan(io, outlook)
    })
  },
})
