import type { RecordedChange } from '../src/domain/recorded-change.ts'
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
      const changes = catalog.recordedChanges.list({ siteId, all: args.all })
      if (args.json) return printJson(io, { data: changes.map(toJson) })
      const toDomain = nameSites(catalog)
      printTable(
        io,
        ['id', 'when', 'kind', 'site', 'what', 'counts', 'snapshot', 'who', 'undone by'],
        changes.map((change) => [
          change.id,
          toMinute(change.createdAt),
          change.kind,
          change.siteId === null ? null : toDomain(change.siteId),
          toSubject(change),
          toCountText(change),
          change.snapshot,
          change.actor,
          change.undoneBy,
        ]),
      )
    }),
})

/** A change as `--json` prints it (contract/imports 3.1). */
function toJson(change: RecordedChange): object {
  return {
    id: change.id,
    created_at: change.createdAt,
    kind: change.kind,
    site_id: change.siteId,
    actor: change.actor,
    files: listFiles(change),
    import_id: toFields(change).import_id ?? null,
    selection: toSelection(change),
    counts: toCounts(change),
    snapshot: change.snapshot,
    undone_by: change.undoneBy,
  }
}

interface ResultFields {
  readonly files?: readonly { readonly file: string }[]
  readonly import_id?: string
  readonly domain?: string
  readonly name?: string
}

const toFields = ({ result }: RecordedChange): ResultFields => result ?? {}

const listFiles = (change: RecordedChange): string[] => (toFields(change).files ?? []).map(({ file }) => file)

/** Every number of the result. */
function toCounts({ result }: RecordedChange): Record<string, number> {
  const numbers = Object.entries(result ?? {}).filter(
    ([name, value]) => typeof value === 'number' && name !== 'snapshot',
  )
  return Object.fromEntries(numbers)
}

function toCountText(change: RecordedChange): string {
  const counts = Object.entries(toCounts(change)).filter(([, count]) => count > 0)
  return counts.map(([name, count]) => `${name.replaceAll('_', ' ')} ${count.toLocaleString('en-US')}`).join(', ')
}

/** What a deletion or retention was asked to take, empty where that was all of a site's; null for other changes. */
function toSelection({ kind, result }: RecordedChange): object | null {
  if (kind !== 'retention' && !kind.startsWith('delete_')) return null
  // A number is a count: of a deleted site's prompts.
  const given = Object.entries(result ?? {}).filter(
    ([name, value]) => SELECTION.has(name) && value !== null && typeof value !== 'number',
  )
  return Object.fromEntries(given)
}

const SELECTION = new Set([
  'setting',
  'period',
  'from',
  'to',
  'prompts',
  'platform',
  'path',
  'bot_name',
  'domain',
  'organization_id',
  'name',
])

function toSelectionText(selection: object): string {
  const given = Object.entries(selection).map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
  return given.length === 0 ? 'everything' : given.join(', ')
}

/** Files of an import, the import of an undo, what a deletion was asked for, the name of a site or organization. */
function toSubject(change: RecordedChange): string | null {
  const { import_id, domain, name } = toFields(change)
  const selection = toSelection(change)
  if (selection !== null) return domain ?? name ?? toSelectionText(selection)
  const [first, ...others] = listFiles(change)
  if (first !== undefined) return others.length === 0 ? first : `${first} and ${others.length} more`
  return import_id ?? null
}
