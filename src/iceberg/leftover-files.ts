import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { metadataPath, type PublicationState, STATE_FILE } from './publication-state.ts'
import { isDataset, PUBLISHED_TABLES } from './tables.ts'

/**
 * Removes what publications have written and the directory's state doesn't name: those that were killed, and those whose grace is
 * over. Without a state that is what the publications with the numbers `unfinished` wrote. Others' files stay.
 */
export async function removeLeftovers(
  directory: string,
  state: PublicationState | undefined,
  unfinished: readonly number[] = [],
): Promise<void> {
  const named = new Set(state ? listNamed(state) : [])
  const isLeft = (path: string, no: number): boolean => (state ? !named.has(path) : unfinished.includes(no))
  for (const { name } of PUBLISHED_TABLES) {
    for (const parent of [`${name}/metadata`, `${name}/data`]) {
      for (const entry of await readdir(join(directory, parent)).catch(() => [])) {
        const path = `${parent}/${entry}`
        const no = WRITTEN.exec(entry)?.slice(1).find(Boolean)
        if (HINT.test(entry) || (no !== undefined && isLeft(path, Number(no)))) {
          await rm(join(directory, path), { recursive: true, force: true })
        }
      }
    }
  }
  for (const entry of await readdir(directory)) {
    if (entry.startsWith(`${STATE_FILE}.`) && entry.endsWith('.tmp')) await rm(join(directory, entry), { force: true })
  }
}

/** Names of a publication's own files, with its number; what is being written of rows has a directory beside it. */
const WRITTEN = /^(?:v(\d+)\.metadata\.json|m(\d+)-\d+\.avro|snap-(\d+)\.avro|(\d+)\.parquet(?:\.tmp)?)$/
const HINT = /^version-hint\.text\..+\.tmp$/

/** Every file that a state needs, relative to the directory; the hints apart. */
function listNamed({ no, tables, replaced }: PublicationState): string[] {
  const ofTables = Object.entries(tables).flatMap(([name, { manifests, snapshots }]) => [
    metadataPath(name, no),
    ...manifests.flatMap((manifest) => [
      manifest.path,
      ...(isDataset(name) ? [] : [`${name}/data/${manifest.no}.parquet`]),
    ]),
    ...snapshots.map(({ manifest_list }) => manifest_list),
  ])
  return [...ofTables, ...replaced.map(({ path }) => path)]
}
