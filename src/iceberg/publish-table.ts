import type { AddedFile } from '../catalog/manifest-rows.ts'
import { newUuid } from '../ids.ts'
import { divide, toRowsKey } from './contents.ts'
import type { DecidedRow } from './decided-rows.ts'
import type { ManifestState, TableState } from './publication-state.ts'
import type { PublicationWriter } from './publication-writer.ts'
import type { PublishedTable } from './tables.ts'

interface TableContents {
  readonly table: PublishedTable
  readonly rows: readonly AddedFile[] | readonly DecidedRow[]
  readonly old: TableState | undefined
  readonly no: number
  readonly atMs: number
}

/** Writes what of a table is new; gives the old state itself when its contents are the same. */
export async function publishTable(
  writer: PublicationWriter,
  { table, rows, old, no, atMs }: TableContents,
): Promise<TableState> {
  const known = new Map(old?.manifests.map((manifest) => [manifest.key, manifest]))
  const manifests = await Promise.all(listManifests(writer, table, rows, known))
  const last = old?.snapshots.at(-1)
  if (old && last && manifests.length === old.manifests.length && manifests.every((one) => known.has(one.key)))
    return old
  const sums = manifests.flatMap(({ added, existing }) => [added, existing])
  const sum = (name: 'files' | 'rows' | 'bytes'): number => sums.reduce((all, of) => all + of[name], 0)
  const added = manifests.reduce((all, manifest) => all + (manifest.no === no ? manifest.added.files : 0), 0)
  const snapshot = {
    no,
    at_ms: Math.max(atMs, (last?.at_ms ?? 0) + 1),
    manifest_list: await writer.writeList(table, manifests),
    operation: sum('files') - added === (last?.files ?? 0) ? ('append' as const) : ('overwrite' as const),
    files: sum('files'),
    rows: sum('rows'),
    bytes: sum('bytes'),
  }
  return { uuid: old?.uuid ?? newUuid(), snapshots: [...(old?.snapshots ?? []), snapshot], manifests }
}

function listManifests(
  writer: PublicationWriter,
  table: PublishedTable,
  rows: TableContents['rows'],
  known: ReadonlyMap<string, ManifestState>,
): Promise<ManifestState>[] {
  if (table.isBySite) {
    const groups = divide(rows as readonly AddedFile[])
    return groups.map(async (group) => known.get(group.key) ?? (await writer.writeManifest(table, group)))
  }
  if (rows.length === 0) return []
  const key = toRowsKey(rows as readonly DecidedRow[])
  const found = known.get(key)
  return [found ? Promise.resolve(found) : writer.writeRows(table, rows as readonly DecidedRow[], key)]
}
