import { defineCommand } from './command.ts'
import { confirmDeletion } from './confirmation.ts'
import { AFTERWARDS, tellSite, WHOLE_DELETION_FLAGS } from './delete-site.ts'
import { countOf } from './format.ts'
import { printJson, printLine, printNote } from './io.ts'
import { toShownDomain } from './shown-domain.ts'
import { withCatalog } from './with-catalog.ts'

export const deleteOrganization = defineCommand({
  summary: 'Delete an organization with its sites, keys and users, for good',
  notes: [
    `Its keys and users are refused from the very next request on, and everything of its sites goes in the same transaction. ${AFTERWARDS} The next backup has nothing of it; earlier ones still do.`,
    'On a terminal the name is asked for; without one --yes is needed.',
  ],
  args: {
    organization: { type: 'positional', required: true, valueHint: 'ORG_ID', description: 'id of the organization' },
    ...WHOLE_DELETION_FLAGS,
  },
  examples: ['orgs delete ORG_ID --dry-run', 'orgs delete ORG_ID --yes'],
  run: (context) =>
    withCatalog(context, async ({ organizations, deletions }) => {
      const { args, io } = context
      const { id, name } = organizations.get(args.organization)
      const dryRun = args['dry-run']
      const count = (): ReturnType<typeof deletions.countOrganization> => deletions.countOrganization(id)
      if (!dryRun) {
        await confirmDeletion(context, {
          isGiven: args.yes,
          names: [name, id],
          describe: () => {
            const { sites, keys, users } = count()
            const domains = sites.map((site) => `${toShownDomain(site.domain)} (${tellSite(site)})`)
            return `This deletes the organization ${name} for good: ${countOf(keys, 'key')}, ${countOf(users, 'user')}, ${countOf(sites.length, 'site')}${domains.length > 0 ? `: ${domains.join('; ')}` : ''}.`
          },
        })
      }
      const result = dryRun ? count() : deletions.deleteOrganization(id)
      if (args.json) printJson(io, { ...result, dry_run: dryRun })
      else {
        const done = dryRun ? 'would be deleted' : 'deleted'
        const { keys, users, sites } = result
        printLine(
          io,
          `${name} ${done}: ${countOf(keys, 'key')}, ${countOf(users, 'user')}, ${countOf(sites.length, 'site')}`,
        )
        for (const site of sites) printLine(io, `${toShownDomain(site.domain)}: ${tellSite(site)}`)
      }
      printNote(io, dryRun ? 'This was a dry run: nothing was changed.' : AFTERWARDS)
    }),
})
