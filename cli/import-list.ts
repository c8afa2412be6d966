import { presentChange } from '../src/http/present-change.ts'
import { defineCommand, JSON_FLAG, OPTIONAL_SITE_FLAG } from './command.ts'
import { printJson } from './io.ts'
import { nameSites } from './site-domains.ts'
import { printTable, toMinute } from './table.ts'
import { withCatalog } from './with-catalog.ts'

export const list = defineCommand({
  summary: 'List what was imported, newest first, with who did it',
  notes: [
    'With --all undos, deletions and what retention removed are listed too, also of sites that are gone. An import that was taken back names its undo.',
  ],
  args: {
    ...OPTIONAL_SITE_FLAG,
    all: { type: 'boolean', description: 'every change of data, not imports alone' },
    ...JSON_FLAG,
  },
  examples: ['import list --site acme.com', 'import list --all --json'],
  run: (context) =>
    withCatalog(context, (catalog) => {
      const { args, io } = context
      const siteId = args.site === undefined ? null : catalog.sites.get(args.site).id
      const changes = catalog.recordedChanges.list({ siteId, all: args.all }).map(presentChange)
      if (args.json) return printJson(io, { data: changes })
      const toDomain = nameSites(catalog)
      printTable(
        io,
        ['id', 'when', 'kind', 'site', 'what', 'counts', 'snapshot', 'who', 'undone by'],
        changes.map((change) => [
          change.id,
          toMinute(change.created_at),
          change.kind,
          change.site_id === null ? null : toDomain(change.site_id),
          toSubject(change),
          toCountText(change),
          change.snapshot,
          change.actor,
          change.undone_by,
        ]),
      )
    }),
})

type PresentedChange = ReturnType<typeof presentChange>

function toCountText({ counts }: PresentedChange): string {
  const given = Object.entries(counts).filter(([, count]) => count > 0)
  return given.map(([name, count]) => `${name.replaceAll('_', ' ')} ${count.toLocaleString('en-US')}`).join(', ')
}

function toSelectionText(selection: object): string {
  const given = Object.entries(selection).map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
  return given.length === 0 ? 'everything' : given.join(', ')
}

/** Files of an import, the import of an undo, what a deletion was asked for, the name of a site or organization. */
function toSubject({ selection, files, import_id }: PresentedChange): string | null {
  if (selection !== null) {
    const { domain, name } = selection as { readonly domain?: string; readonly name?: string }
    return domain ?? name ?? toSelectionText(selection)
  }
  const [first, ...others] = files
  if (first !== undefined) return others.length === 0 ? first : `${first} and ${others.length} more`
  return import_id
}
