import type { SiteBelongings } from '../src/catalog/deletions.ts'
import { defineCommand, JSON_FLAG } from './command.ts'
import { confirmDeletion, YES_FLAG } from './confirmation.ts'
import { countOf, toSize } from './format.ts'
import { printJson, printLine, printNote } from './io.ts'
import { toShownDomain } from './shown-domain.ts'
import { withSite } from './with-catalog.ts'

/** Flags of commands that delete a thing with everything of it. */
export const WHOLE_DELETION_FLAGS = {
  'dry-run': { type: 'boolean', description: 'count what would be deleted, change nothing' },
  ...YES_FLAG,
  ...JSON_FLAG,
} as const

export const AFTERWARDS =
  'The files of the lake go with the first collection after the grace, for readers that had begun; `lake gc --grace 0` deletes them now.'

export const deleteSite = defineCommand({
  summary: 'Delete a site with everything of it, for good',
  notes: [
    `Answers, logs, prompts, competitors, cards and what was read of logs go in one transaction; requests and imports that name the site find none from then on. ${AFTERWARDS} The next backup has nothing of it; earlier ones still do.`,
    'On a terminal the domain is asked for; without one --yes is needed.',
  ],
  args: {
    site: { type: 'positional', required: true, valueHint: 'SITE', description: 'site id or domain' },
    ...WHOLE_DELETION_FLAGS,
  },
  examples: ['sites delete acme.com --dry-run', 'sites delete acme.com --yes'],
  run: (context) =>
    withSite(context, context.args.site, async (catalog, site) => {
      const { args, io } = context
      const { deletions } = catalog
      const domain = toShownDomain(site.domain)
      const dryRun = args['dry-run']
      if (!dryRun) {
        await confirmDeletion(context, {
          isGiven: args.yes,
          names: [domain, site.domain],
          describe: () => `This deletes the site ${domain} for good: ${tellSite(deletions.countSite(site.id))}.`,
        })
      }
      const result = dryRun ? deletions.countSite(site.id) : deletions.deleteSite(site.id)
      if (args.json) printJson(io, { ...result, dry_run: dryRun })
      else printLine(io, `${domain} ${dryRun ? 'would be deleted' : 'deleted'}: ${tellSite(result)}`)
      printNote(io, dryRun ? 'This was a dry run: nothing was changed.' : AFTERWARDS)
    }),
})

/** What goes with a site, in words. */
export function tellSite({
  answers,
  no_answers,
  log_rows,
  prompts,
  competitors,
  cards,
  lake_files,
  bytes,
}: SiteBelongings): string {
  return [
    countOf(answers, 'answer'),
    countOf(no_answers, 'no_answer'),
    countOf(log_rows, 'row of logs', 'rows of logs'),
    countOf(prompts, 'prompt'),
    countOf(competitors, 'competitor'),
    countOf(cards, 'card'),
    `${countOf(lake_files, 'file')} (${toSize(bytes)})`,
  ].join(', ')
}
