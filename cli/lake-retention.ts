import { defineCommand, JSON_FLAG } from './command.ts'
import { printJson, printLine, printNote } from './io.ts'
import { nameSites } from './site-domains.ts'
import { toShownDomain } from './shown-domain.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'

export const retention = defineCommand({
  summary: 'Delete now what retention_answers, retention_logs and retention_raw no longer keep',
  notes: [
    'Imports and the server do so by themselves, for some seconds at a time and when no other change is in the way; this waits and does all of it. `lake status` shows the first days that are kept. Exits 1 when a damaged file kept something from going.',
  ],
  args: JSON_FLAG,
  examples: ['lake retention'],
  async run(context) {
    const { args, io, signal } = context
    const { enforceRetention } = await import('../src/maintenance/retention.ts')
    const { result, toDomain } = await withApp(context, async (app) => ({
      result: await enforceRetention(app.change, {
        retention: app.config,
        signal,
        onWait: () => printNote(io, 'waiting for another change'),
      }),
      toDomain: nameSites(app.catalog),
    }))
    const { retired, failures } = result
    if (args.json) printJson(io, result)
    else if (retired.length === 0) printLine(io, 'nothing is older than what is kept')
    else {
      printTable(
        io,
        ['site', 'setting', 'answers', 'bot hits', 'visits'],
        retired.map((one) => [
          toShownDomain(toDomain(one.site_id)),
          one.setting,
          one.answers,
          one.bot_hits,
          one.visits,
        ]),
      )
    }
    for (const failure of failures) printNote(io, failure)
    return failures.length === 0 ? 0 : 1
  },
})
