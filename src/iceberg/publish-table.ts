import type { AddedFile } from '../catalog/manifest-rows.ts'
import { newUuid } from '../ids.ts'
import { type FileGroup, toRowsKey } from './contents.ts'
import type { DecidedRow } from './decided-rows.ts'
import type { ManifestState, TableState } from './publication-state.ts'
import { finishAll, type PublicationWriter } from './publication-writer.ts'
import type { PublishedTable } from './tables.ts'

interface TableContents {
  readonly table: PublishedTable
  /** Files of a data set, or rows of what is decided. */
  readonly contents: readonly FileGroup[] | readonly DecidedRow[]
  /** The files of groups, by their keys. */
  readonly readFiles: (groups: readonly FileGroup[]) => ReadonlyMap<string, readonly AddedFile[]>
  readonly old: TableState | undefined
  readonly no: number
  readonly atMs: number
}

/** Writes what of a table is new; gives the old state itself when its contents are the same. */
export async function publishTable(writer: PublicationWriter, given: TableContents): Promise<TableState> {
  const { old, no, atMs, table } = given
  const known = new Map(old?.manifests.map((manifest) => [manifest.key, manifest]))
  const manifests = await finishAll(listManifests(writer, given, known))
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
  { table, contents, readFiles }: TableContents,
  known: ReadonlyMap<string, ManifestState>,
): Promise<ManifestState>[] {
  if (table.isBySite) {
    const groups = contents as readonly FileGroup[]
    const files = readFiles(groups.filter(({ key }) => !known.has(key)))
    return groups.map(
      async ({ key }) => known.get(key) ?? (await writer.writeManifest(table, files.get(key) ?? [], key)),
    )
  }
  if (contents.length === 0) return []
  const rows = contents as readonly DecidedRow[]
  const key = toRowsKey(rows)
  const found = known.get(key)
  return [found ? Promise.resolve(found) : writer.writeRows(table, rows, key)]
}
