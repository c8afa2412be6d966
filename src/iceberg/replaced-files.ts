import type { ChangeContext } from '../change/change-lake.ts'
import { metadataPath, type PublicationState, type TableState } from './publication-state.ts'
import { isDataset } from './tables.ts'

/** What earlier publications need and this one doesn't. */
export function listReplaced(
  found: PublicationState | undefined,
  before: PublicationState | undefined,
  tables: Readonly<Record<string, TableState>>,
): PublicationState['replaced'] {
  if (!found) return []
  const replaced: { path: string; last_no: number }[] = [...found.replaced]
  const add = (path: string): void => void replaced.push({ path, last_no: found.no })
  for (const [name, { manifests, snapshots }] of Object.entries(found.tables)) {
    const kept = new Set(tables[name]?.manifests.map(({ path }) => path))
    add(metadataPath(name, found.no))
    for (const { path, no } of manifests.filter((manifest) => !kept.has(manifest.path))) {
      add(path)
      if (!isDataset(name)) add(`${name}/data/${no}.parquet`)
    }
    if (!before) for (const { manifest_list } of snapshots) add(manifest_list)
  }
  return replaced
}

/** The state without publications whose grace is over. */
export function expire({ catalog, clock }: ChangeContext, state: PublicationState): PublicationState {
  const nowMs = clock.now()
  const isOver = new Set(
    catalog.publications
      .list()
      .filter(({ replacedAt, graceMs }) => replacedAt !== null && nowMs - Date.parse(replacedAt) >= graceMs)
      .map(({ no }) => no),
  )
  const readable = state.readable.filter((no) => no === state.no || !isOver.has(no))
  const oldest = readable[0] ?? state.no
  const tables = Object.entries(state.tables).map(([name, table]) => {
    // The newest snapshot that the oldest publication still read, and all after it.
    const first = table.snapshots.findLastIndex(({ no }) => no <= oldest)
    return [name, { ...table, snapshots: table.snapshots.slice(Math.max(first, 0)) }] as const
  })
  const replaced = state.replaced.filter(({ last_no }) => last_no >= oldest)
  return { ...state, readable, replaced, tables: Object.fromEntries(tables) }
}
