import { defineCommand, JSON_FLAG } from './command.ts'
import { toIntegerForm } from './flags.ts'
import { printJson } from './io.ts'
import { printTable, toMinute } from './table.ts'
import { withCatalog } from './with-catalog.ts'

export const audit = defineCommand({
  summary: 'Who changed what, newest first: in the dashboard, by keys and by commands',
  notes: [
    'ACTOR is the mail address of a user, the id of a key, or the account that ran a command. What imports, deletions and retention did is in `import list`.',
  ],
  args: {
    org: { type: 'string', valueHint: 'ORG_ID', description: 'id of the organization; all by default' },
    limit: {
      type: 'string',
      form: toIntegerForm(1, 1_000_000),
      valueHint: 'N',
      default: '100',
      description: 'entries at most',
    },
    ...JSON_FLAG,
  },
  examples: ['audit', 'audit --org ORG_ID --limit 1000 --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const organizationId = args.org === undefined ? undefined : catalog.organizations.get(args.org).id
      const entries = catalog.audit.list({ organizationId, limit: args.limit })
      if (args.json) {
        return printJson(io, {
          data: entries.map(({ organizationId: organization_id, ...entry }) => ({ ...entry, organization_id })),
        })
      }
      printTable(
        io,
        ['at', 'actor', 'action', 'subject', 'detail'],
        entries.map(({ at, actor, action, subject, detail }) => [toMinute(at), actor, action, subject, toCell(detail)]),
      )
    }),
})

/** In one piece: broken at a space, a name could make a line that looks like one of the list's own. */
function toCell(detail: object): string | null {
  return Object.keys(detail).length === 0 ? null : JSON.stringify(detail).replaceAll(' ', '\u00A0')
}
