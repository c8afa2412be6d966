import { lstat, rename, rm, stat } from 'node:fs/promises'
import { dirname, join as joinPath, resolve } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import type { Snapshot } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'
import { syncDirectory, syncFile, toPartialPath } from '../lake/checksums/durable-files.ts'
import { openChangeDatabase } from '../lake/instance.ts'
import { join, type Sql, sql } from '../lake/sql.ts'
import { readCells, runStatement } from '../lake/statement.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { makeDirectory } from '../make-directory.ts'
import type { ExportFormat } from './formats.ts'
import { NAMED_TABLES, type NamedTable } from './tables.ts'
import { toViews } from './views.ts'

export interface ExportOptions {
  readonly siteId: string
  /** A directory that is not there yet. */
  readonly to: string
  readonly format: ExportFormat
  readonly signal?: AbortSignal
  /** Called before each table with how many are done. */
  readonly onProgress?: (state: { doneTables: number; tables: number; table: string }) => void
}

export interface ExportResult {
  readonly directory: string
  readonly snapshot: Snapshot
  readonly tables: readonly {
    readonly table: string
    /** Within the directory. */
    readonly file: string
    readonly rows: number
    readonly bytes: number
  }[]
}

/**
 * Writes the named tables of a site's newest snapshot as plain files, one a table, into a new directory, which gets its name
 * when all of them are whole. Throws CommandError when it is there already, for a full disk and the like; AbortError when
 * `signal` fires. Nothing is left behind then.
 */
export async function exportTables(context: ChangeContext, options: ExportOptions): Promise<ExportResult> {
  const directory = resolve(options.to)
  await refuseExisting(directory)
  const unfinished = toPartialPath(directory)
  const { leases, manifest } = context.catalog
  // Files that are live now stay until the export is over.
  const presence = leases.enter()
  try {
    manifest.pin(presence.token, manifest.currentSnapshot())
    makeDirectory(unfinished)
    const { snapshot, tables } = await writeTables(context, options, unfinished)
    await syncDirectory(unfinished)
    await rename(unfinished, directory)
    await syncDirectory(dirname(directory))
    return { directory, snapshot, tables }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw toStorageError(error, `The export to ${directory}`)
  } finally {
    manifest.unpin(presence.token)
    presence.leave()
  }
}

async function refuseExisting(directory: string): Promise<void> {
  const found = await lstat(directory).catch(() => undefined)
  if (found === undefined) return
  throw new CommandError(
    `${directory} is there already. Name a directory that is not; it is made with all files at once.`,
  )
}

async function writeTables(
  { catalog, lakeDir }: ChangeContext,
  { siteId, format, signal, onProgress }: ExportOptions,
  dir: string,
): Promise<Pick<ExportResult, 'snapshot' | 'tables'>> {
  const { snapshot, statements } = toViews(catalog, resolve(lakeDir), { siteId })
  const spillDir = joinPath(dir, 'spill')
  using database = await openChangeDatabase(spillDir)
  const connection = await database.connect()
  const interrupt = (): void => connection.interrupt()
  signal?.addEventListener('abort', interrupt)
  try {
    for (const statement of statements) await runStatement(connection, statement)
    const tables: ExportResult['tables'][number][] = []
    for (const [doneTables, table] of NAMED_TABLES.entries()) {
      signal?.throwIfAborted()
      onProgress?.({ doneTables, tables: NAMED_TABLES.length, table: table.name })
      const file = `${table.name}.${format}`
      const path = joinPath(dir, file)
      const [[rows] = []] = await readCells(connection, toCopy(table, path, format))
      await syncFile(path)
      tables.push({ table: table.name, file, rows: Number(rows), bytes: (await stat(path)).size })
    }
    return { snapshot, tables }
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    signal?.removeEventListener('abort', interrupt)
    await rm(spillDir, { recursive: true, force: true })
  }
}

function toCopy({ name, columns }: NamedTable, path: string, format: ExportFormat): Sql {
  if (format === 'parquet')
    return sql`COPY (FROM ${sql.identifier(name)}) TO ${sql.path(path)} (FORMAT parquet, COMPRESSION zstd)`
  const cells = Object.entries(columns).map(([column, { isList = false }]) => {
    const cell = sql.identifier(column)
    return isList ? sql`to_json(${cell})::VARCHAR AS ${cell}` : cell
  })
  return sql`COPY (SELECT ${join(cells, sql`, `)} FROM ${sql.identifier(name)}) TO ${sql.path(path)} (FORMAT csv, HEADER)`
}
