import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import type { AddedFile } from '../catalog/manifest-rows.ts'
import { syncDirectories, syncFile, toPartialPath, writeDurably } from '../lake/checksums/durable-files.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { join as joinSql, sql } from '../lake/sql.ts'
import { openTableAppender, type TableColumns } from '../lake/write/table-appender.ts'
import { writeParquet } from '../lake/write/parquet-file.ts'
import { MANIFESTS_WRITTEN_AT_ONCE } from '../publication-limits.ts'
import type { DecidedRow } from './decided-rows.ts'
import { type DataFile, toManifest, toManifestList } from './manifest-files.ts'
import {
  type ManifestState,
  metadataPath,
  type PublicationState,
  STATE_FILE,
  type TableState,
} from './publication-state.ts'
import { toTableMetadata } from './table-metadata.ts'
import { PUBLISHED_TABLES, type PublishedTable } from './tables.ts'

/** Writes the files of one publication; `commit` makes it the directory's. */
export interface PublicationWriter {
  /** A manifest over files of the lake. */
  writeManifest(table: PublishedTable, files: readonly AddedFile[], key: string): Promise<ManifestState>
  /** A Parquet file of rows, in a manifest of its own. */
  writeRows(table: PublishedTable, rows: readonly DecidedRow[], key: string): Promise<ManifestState>
  /** Gives the path of the list of a table's manifests. */
  writeList(table: PublishedTable, manifests: readonly ManifestState[]): Promise<string>
  /** Writes the tables' metadata, then the state, and last of all the hints of the newest version. */
  commit(state: PublicationState): Promise<void>
}

interface WriterOptions {
  readonly directory: string
  readonly no: number
  /** Addresses of the directory and of the lake, without a slash at their ends. */
  readonly location: string
  readonly lakeLocation: string
  /** Number of the publication that named a file first. */
  readonly addedNoOf: (file: AddedFile) => number
}

export function openPublicationWriter(options: WriterOptions): PublicationWriter {
  const { directory, no, location, lakeLocation, addedNoOf } = options
  const toUrl = (path: string): string => `${location}/${path}`
  const made = new Set<string>()
  const atOnce = pLimit(MANIFESTS_WRITTEN_AT_ONCE)

  async function toPath(path: string): Promise<string> {
    const parent = dirname(join(directory, path))
    if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 })
    made.add(parent)
    return join(directory, path)
  }
  const write = (path: string, bytes: string | Buffer): Promise<void> =>
    atOnce(async () => writeFile(await toPath(path), bytes, { mode: 0o600, flush: true }))

  let manifests = 0
  async function finishManifest(
    table: PublishedTable,
    files: readonly DataFile[],
    key: string,
  ): Promise<ManifestState> {
    const path = `${table.name}/metadata/m${no}-${manifests++}.avro`
    // Made when it is its turn: many at once are many times their bytes in memory.
    const { length, summary } = await atOnce(async () => {
      const { bytes, summary: made } = toManifest(table, files, no)
      await writeFile(await toPath(path), bytes, { mode: 0o600, flush: true })
      return { length: bytes.length, summary: made }
    })
    return { ...summary, sites: summary.sites && [...summary.sites], path, bytes: length, key }
  }

  return {
    writeManifest: (table, files, key) =>
      finishManifest(
        table,
        files.map((file) => ({
          url: `${lakeLocation}/${file.path}`,
          siteId: file.siteId,
          rows: file.rows,
          bytes: file.bytes,
          minDay: file.minDay,
          maxDay: file.maxDay,
          addedNo: addedNoOf(file),
        })),
        key,
      ),
    async writeRows(table, rows, key) {
      const path = `${table.name}/data/${no}.parquet`
      const { bytes } = await writeTable(table, rows, await toPath(path))
      const file = { siteId: null, rows: rows.length, bytes, minDay: null, maxDay: null, addedNo: no }
      return finishManifest(table, [{ ...file, url: toUrl(path) }], key)
    },
    async writeList(table, list) {
      const path = `${table.name}/metadata/snap-${no}.avro`
      await write(path, toManifestList(no, list, toUrl))
      return path
    },
    async commit(state) {
      await finishAll(
        PUBLISHED_TABLES.map((table) => {
          const metadata = toTableMetadata(table, state.tables[table.name] as TableState, state)
          return write(metadataPath(table.name, no), JSON.stringify(metadata))
        }),
      )
      await syncDirectories(made, directory)
      await writeDurably(join(directory, STATE_FILE), JSON.stringify(state))
      await writeHints(directory, no)
    },
  }
}

/** What all give, or the first error once none of them writes any more: what they wrote can be removed then. */
export async function finishAll<T>(writing: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(writing)
  return Promise.all(writing)
}

/**
 * Tells engines that read the directory itself which metadata is the newest. A hint that a power cut takes back names an older
 * publication, which is still there.
 */
export async function writeHints(directory: string, no: number): Promise<void> {
  const write = async (path: string): Promise<void> => {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    if (text === String(no)) return
    const partial = toPartialPath(path)
    await writeFile(partial, String(no), { mode: 0o600, flush: true })
    await rename(partial, path)
  }
  await Promise.all(PUBLISHED_TABLES.map(({ name }) => write(join(directory, name, 'metadata/version-hint.text'))))
}

async function writeTable(
  { name, columns }: PublishedTable,
  rows: readonly DecidedRow[],
  path: string,
): Promise<{ readonly bytes: number }> {
  const spillDir = `${path}.tmp`
  try {
    using database = await openChangeDatabase(spillDir)
    const connection = await database.connect()
    const table = await openTableAppender(connection, name, toAppended(columns))
    const cells = columns.map((column) => table.cells[column.name] as unknown[])
    for (const row of rows) {
      for (const [place, cell] of row.entries()) cells[place]?.push(cell)
      table.endRow()
    }
    table.close()
    const typed = columns.map(
      (column) => sql`${sql.identifier(column.name)}::${sql.identifier(column.type)} AS ${sql.identifier(column.name)}`,
    )
    const select = sql`SELECT ${joinSql(typed, sql`, `)} FROM ${sql.identifier(name)}`
    const written = await writeParquet(connection, path, { select, rowGroupRows: ROW_GROUP_ROWS })
    await syncFile(path)
    return written
  } finally {
    await rm(spillDir, { recursive: true, force: true })
  }
}

const ROW_GROUP_ROWS = 122_880

function toAppended(columns: PublishedTable['columns']): TableColumns {
  return Object.fromEntries(
    columns.map(({ name, type }) => [name, type === 'VARCHAR' ? 'text' : type === 'BOOLEAN' ? 'boolean' : 'integer']),
  )
}
