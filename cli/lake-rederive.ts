import { basename } from 'node:path'
import type { App } from '../src/app.ts'
import type { Site } from '../src/domain/site.ts'
import { CommandError } from '../src/errors.ts'
import { type Context, defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { type Io, printJson, printNote } from './io.ts'
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
    'With --from-raw the raw replies of scans are read again first, which is wanted after an upgrade that reads an engine better: what they say now takes the place of what is stored, where it differs, and what could not be read then comes in.',
  ],
  args: {
    ...OPTIONAL_SITE_FLAG,
    'from-raw': { type: 'boolean', description: 'read the raw replies of scans again first' },
    ...JSON_FLAG,
  },
  examples: ['lake rederive', 'lake rederive --site acme.com', 'lake rederive --from-raw'],
  async run(context) {
    const { args, io, clock, signal } = context
    const { rederiveSite } = await import('../src/maintenance/rederive.ts')
    const progress = openProgress('deriving anew', io, clock)
    const { results, toDomain } = await withApp(context, async (app) => {
      const { sites } = app.catalog
      const done = []
      for (const site of args.site === undefined ? sites.list() : [sites.get(args.site)]) {
        const reread = args['from-raw'] ? await rereadSite(app, site, context) : undefined
        done.push({
          ...(await rederiveSite(app.change, {
            site,
            signal,
            onProgress: ({ month, done: months, total }) =>
              progress.report({ done: months, total, note: `${toShownDomain(site.domain)}, ${month}` }),
            onWait: () => printNote(io, 'waiting for an import'),
          })),
          ...(reread && { reread }),
        })
      }
      return { results: done, toDomain: nameSites(app.catalog) }
    }).finally(() => progress.close())
    if (args.json) return printJson(io, args.site === undefined ? { sites: results } : results[0])
    printTable(
      io,
      ['site', 'months derived anew', 'up to date', 'answers', 'paths'],
      results.map((one) => [toDomain(one.site_id), one.months.length, one.months_up_to_date, one.answers, one.paths]),
    )
    for (const { site_id: id, reread } of results) if (reread) printReread(io, toDomain(id), reread)
    const answers = results.reduce((total, one) => total + one.answers, 0)
    printNote(io, `${countOf(answers, 'answer')} derived anew; the next report shows it`)
  },
})

/** What reading raw replies again did to the site's answers. */
interface Reread {
  readonly records: number
  readonly replaced: number
  readonly imported: number
  readonly no_answer: number
  readonly rejected: number
}

async function rereadSite(app: App, site: Site, { io, clock, signal }: Context): Promise<Reread> {
  const { rereadReplies } = await import('../src/collect/reread-replies.ts')
  const { forgetReplies } = await import('../src/maintenance/forget-replies.ts')
  if (!(await forgetReplies(app.change, { signal })))
    throw new CommandError(
      'Another process takes deleted answers out of the raw replies. Repeat the command when it is done.',
    )
  const progress = openProgress('reading again', io, clock)
  const result = await rereadReplies(app.change, {
    dataDir: app.config.dataDir,
    site,
    signal,
    onProgress: ({ file, readBytes, totalBytes }) =>
      progress.report({ done: readBytes, total: totalBytes, note: `${toShownDomain(site.domain)}, ${basename(file)}` }),
    onWait: () => printNote(io, 'waiting for an import'),
  }).finally(() => progress.close())
  const { replaced, imported, no_answer, rejected, files } = result
  return { records: files.reduce((sum, file) => sum + file.records, 0), replaced, imported, no_answer, rejected }
}

function printReread(io: Io, domain: string, { records, replaced, imported, no_answer, rejected }: Reread): void {
  const ends = [`${replaced} replaced`, `${imported + no_answer} new`, `${rejected} unreadable`]
  printNote(io, `${countOf(records, 'raw reply', 'raw replies')} of ${domain} read again: ${ends.join(', ')}`)
}
