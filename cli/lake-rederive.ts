import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson, printNote } from './io.ts'
import { openProgress } from './progress.ts'
import { nameSites } from './site-domains.ts'
import { printTable } from './table.ts'
import { withApp } from './with-app.ts'
import { countOf } from './format.ts'
import { toShownDomain } from './shown-domain.ts'

export const rederive = defineCommand({
  summary: 'Find brands, cited pages and page types again in everything imported',
  notes: [
    'Wanted after a brand got another name or alias, was added or removed, or a page-type rule changed: what was imported before keeps what was found then. Goes month by month while the server serves; stopped, it goes on where it was when it is called again.',
    'Confirming a competitor, its domains, categories and source kinds need no rederive: reports join them as they are.',
  ],
  args: { ...OPTIONAL_SITE_FLAG, ...JSON_FLAG },
  examples: ['lake rederive', 'lake rederive --site acme.com'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { rederiveSite } = await import('../src/maintenance/rederive.ts')
    const progress = openProgress('deriving anew', io, clock)
    const { results, toDomain } = await withApp(context, async (app) => {
      const { sites } = app.catalog
      const done = []
      for (const site of args.site === undefined ? sites.list() : [sites.get(args.site)]) {
        done.push(
          await rederiveSite(app.change, {
            site,
            signal,
            onProgress: ({ month, done: months, total }) =>
              progress.report({ done: months, total, note: `${toShownDomain(site.domain)}, ${month}` }),
            onWait: () => printNote(io, 'waiting for an import'),
          }),
        )
      }
      return { results: done, toDomain: nameSites(app.catalog) }
    }).finally(() => progress.close())
    if (args.json) return printJson(io, args.site === undefined ? { sites: results } : results[0])
    printTable(
      io,
      ['site', 'months derived anew', 'up to date', 'answers', 'paths'],
      results.map((one) => [toDomain(one.site_id), one.months.length, one.months_up_to_date, one.answers, one.paths]),
    )
    const answers = results.reduce((total, one) => total + one.answers, 0)
    printNote(io, `${countOf(answers, 'answer')} derived anew; the next report shows it`)
  },
})
