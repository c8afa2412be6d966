import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AddedFile } from '../catalog/manifest-rows.ts'
import type { ChangeContext } from '../change/change-lake.ts'
import { toTimestamp } from '../clock.ts'
import type { Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { makeDirectoryDurably } from '../lake/checksums/durable-files.ts'
import { isOutdated } from '../lake/datasets.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { countFiles, divide, type FileGroup, readFiles, toRowsKey } from './contents.ts'
import { type DecidedRow, readDecided } from './decided-rows.ts'
import { type PublicationState, readPublication, type TableState } from './publication-state.ts'
import { removeLeftovers } from './leftover-files.ts'
import { publishTable } from './publish-table.ts'
import { openPublicationWriter, writeHints } from './publication-writer.ts'
import { expire, listReplaced } from './replaced-files.ts'
import { type DecidedName, isDataset, PUBLISHED_TABLES } from './tables.ts'

export interface PublishOptions {
  /** Made when it isn't there. */
  readonly directory: string
  /** Where engines will find the directory's files and the lake's, merged; the two directories without it. */
  readonly location?: string | undefined
  /** How long what a newer publication replaces can still be read. */
  readonly graceMs: number
  readonly signal?: AbortSignal
  /** Called before each table with how many are done. */
  readonly onProgress?: (state: { doneTables: number; tables: number; table: string }) => void
  readonly onWait?: () => void
}

export interface PublishResult {
  readonly directory: string
  /** Its number; the tag of all tables is `lake-` and this. */
  readonly publication: number
  readonly lake_snapshot: Snapshot
  /** False when nothing had changed since the last one. */
  readonly is_new: boolean
  readonly tables: readonly {
    readonly table: string
    readonly files: number
    readonly rows: number
    readonly bytes: number
  }[]
  /** Manifests that were written, and those of earlier publications that are named again. */
  readonly manifests: { readonly written: number; readonly kept: number }
}

/**
 * Publishes the newest snapshot of all sites as Iceberg tables over the lake's files as they lie. Killed at any moment, the
 * directory holds one whole publication. Throws CommandError for files of older versions, a directory of something else, a
 * full disk and the like; AbortError when `signal` fires.
 */
export async function publishLake(context: ChangeContext, options: PublishOptions): Promise<PublishResult> {
  const directory = resolve(options.directory)
  const { signal, onWait } = options
  const lease = await context.catalog.leases.acquire(`publish:${directory}`, {
    ...(signal ? { signal } : {}),
    ...(onWait ? { onWait } : {}),
  })
  try {
    await makeDirectoryDurably(directory)
    return await publish(context, { ...options, directory })
  } catch (error) {
    throw toStorageError(error, `The publication in ${directory}`)
  } finally {
    lease.release()
  }
}

async function publish(context: ChangeContext, options: PublishOptions): Promise<PublishResult> {
  const { catalog, lakeDir, clock } = context
  const { directory, signal, onProgress } = options
  const found = await readPublication(directory)
  if (found && found.data_directory_id !== catalog.dataDirectoryId) {
    throw new CommandError(`${directory} holds the publication of another data directory. Publish into another one.`)
  }
  const known = catalog.publications.list(directory)
  if (!found && known.length === 0) await refuseOthers(directory)
  const unfinished = known.map(({ no }) => no).filter((no) => no > (found?.no ?? 0))
  await removeLeftovers(directory, found, unfinished)
  for (const no of unfinished) catalog.publications.cancel(no)
  const addresses = toAddresses(options, lakeDir)
  const before = found && isContinued(found, addresses) ? found : undefined
  const { no, snapshot, files, decided } = begin(context, options, found?.no ?? 0)
  let isCommitted = false
  try {
    const writer = openPublicationWriter({
      directory,
      no,
      ...addresses,
      addedNoOf: toAddedNo(context, options, before, no),
    })
    const tables: Record<string, TableState> = {}
    // What is decided first: the memory that DuckDB takes for its rows serves the manifests afterwards.
    for (const [doneTables, table] of PUBLISHED_TABLES.toReversed().entries()) {
      signal?.throwIfAborted()
      onProgress?.({ doneTables, tables: PUBLISHED_TABLES.length, table: table.name })
      const contents = isDataset(table.name) ? (files.get(table.name) ?? []) : decided[table.name as DecidedName]
      const old = before?.tables[table.name]
      tables[table.name] = await publishTable(writer, {
        table,
        contents,
        readFiles: (groups) => readFiles(catalog.manifest, snapshot, groups),
        old,
        no,
        atMs: clock.now(),
      })
    }
    if (before && Object.entries(tables).every(([name, table]) => table === before.tables[name])) {
      catalog.publications.cancel(no)
      // A publication that was killed may have left hints of an older one.
      await writeHints(directory, before.no)
      catalog.publications.complete(before.no)
      return toResult(directory, before, undefined)
    }
    const made = {
      format: 1 as const,
      data_directory_id: catalog.dataDirectoryId,
      no,
      first_no: before?.first_no ?? no,
      lake_snapshot: snapshot,
      published_at: toTimestamp(clock.now()),
      location: addresses.location,
      lake_location: addresses.lakeLocation,
      schema: SCHEMA,
    }
    const state = expire(context, {
      ...made,
      tables,
      readable: [...(before?.readable ?? []), no],
      replaced: listReplaced(found, before, tables),
    })
    await writer.commit(state)
    isCommitted = true
    catalog.publications.complete(no)
    await removeLeftovers(directory, state)
    return toResult(directory, state, no)
  } catch (error) {
    // Until the state names it nobody knows it; once it is there its files must be kept.
    if (!isCommitted && (await readPublication(directory))?.no !== no) {
      await removeLeftovers(directory, found, [no])
      catalog.publications.cancel(no)
    }
    throw error
  }
}

/** A warehouse may have tables of the same names. Throws CommandError; empty directories are nobody's. */
async function refuseOthers(directory: string): Promise<void> {
  for (const { name } of PUBLISHED_TABLES) {
    const entries = await readdir(join(directory, name), { recursive: true, withFileTypes: true }).catch(() => [])
    if (entries.every((entry) => entry.isDirectory())) continue
    throw new CommandError(
      `${directory} has a ${name} that no publication of this data directory wrote. Publish into another directory.`,
    )
  }
}

interface Begun {
  readonly no: number
  readonly snapshot: Snapshot
  readonly files: ReadonlyMap<string, readonly FileGroup[]>
  readonly decided: Readonly<Record<DecidedName, readonly DecidedRow[]>>
}

/** Reads what is to be published, all of one moment, and keeps its files from being collected. */
function begin({ catalog }: ChangeContext, { directory, graceMs }: PublishOptions, after: number): Begun {
  return catalog.transaction(() => {
    const snapshot = catalog.manifest.currentSnapshot()
    const sets = catalog.manifest.listFileSets(snapshot)
    const outdated = countFiles(sets.filter(isOutdated))
    if (outdated > 0) {
      throw new CommandError(
        `${outdated} of ${countFiles(sets)} files have columns of an older version, which not every engine can read. \`answerlake lake compact\` writes them anew; publish afterwards.`,
      )
    }
    const no = catalog.publications.begin({ directory, snapshot, graceMs, after })
    return { no, snapshot, files: Map.groupBy(divide(sets), ({ dataset }) => dataset), decided: readDecided(catalog) }
  })
}

interface Addresses {
  readonly location: string
  readonly lakeLocation: string
}

/** As it is: engines take the rest for a path, and don't decode it. */
const toFileUrl = (path: string): string => `file://${path}`

/** Under a location the lake's files and the publication's lie in one tree; their names never meet. */
function toAddresses({ directory, location }: PublishOptions, lakeDir: string): Addresses {
  const given = location?.replace(/\/+$/, '')
  return { location: given ?? toFileUrl(directory), lakeLocation: given ?? toFileUrl(resolve(lakeDir)) }
}

/** What the tables' definitions come to: with others they begin anew. */
const SCHEMA = toRowsKey([[JSON.stringify(PUBLISHED_TABLES)]])

function isContinued(found: PublicationState, { location, lakeLocation }: Addresses): boolean {
  return found.location === location && found.lake_location === lakeLocation && found.schema === SCHEMA
}

/** The number of the publication that named a file first: of those whose snapshot has it, the earliest. */
function toAddedNo(
  { catalog }: ChangeContext,
  { directory }: PublishOptions,
  before: PublicationState | undefined,
  no: number,
): (file: AddedFile) => number {
  const known = new Map<number, number>()
  const history = before ? catalog.publications.list(directory).filter((one) => one.no >= before.first_no) : []
  return ({ addedIn }) => {
    const found = known.get(addedIn) ?? history.find(({ snapshot }) => snapshot >= addedIn)?.no ?? no
    known.set(addedIn, found)
    return found
  }
}

function toResult(directory: string, state: PublicationState, no: number | undefined): PublishResult {
  const manifests = Object.values(state.tables).flatMap((table) => table.manifests)
  const written = manifests.filter((manifest) => manifest.no === no).length
  return {
    directory,
    publication: state.no,
    lake_snapshot: state.lake_snapshot,
    is_new: no !== undefined,
    tables: PUBLISHED_TABLES.map(({ name }) => {
      const { files = 0, rows = 0, bytes = 0 } = state.tables[name]?.snapshots.at(-1) ?? {}
      return { table: name, files, rows, bytes }
    }),
    manifests: { written, kept: manifests.length - written },
  }
}
