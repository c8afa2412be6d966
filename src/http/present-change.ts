import type { RecordedChange } from '../domain/recorded-change.ts'

/** A change of data as lists show it (contract/imports 3.1). */
export function presentChange(change: RecordedChange) {
  const { files = [], import_id = null } = toFields(change)
  return {
    id: change.id,
    created_at: change.createdAt,
    kind: change.kind,
    site_id: change.siteId,
    actor: change.actor,
    files: files.map(({ file }) => file),
    import_id,
    selection: toSelection(change),
    counts: toCounts(change),
    snapshot: change.snapshot,
    undone_by: change.undoneBy,
  }
}

interface ResultFields {
  readonly files?: readonly { readonly file: string }[]
  readonly import_id?: string
}

const toFields = ({ result }: RecordedChange): ResultFields => result ?? {}

/** Every number of the result. */
function toCounts({ result }: RecordedChange): Record<string, number> {
  const numbers = Object.entries(result ?? {}).filter(
    ([name, value]) => typeof value === 'number' && name !== 'snapshot',
  )
  return Object.fromEntries(numbers)
}

/** What a deletion or retention was asked to take, empty where that was all of a site's; null for other changes. */
function toSelection({ kind, result }: RecordedChange): Record<string, unknown> | null {
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
