import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { syncDirectory, syncFile, toPartialPath } from '../lake/checksums/durable-files.ts'
import { openFileDatabase } from '../lake/instance.ts'
import { sql } from '../lake/sql.ts'
import { readCells, runStatement } from '../lake/statement.ts'
import { toStorageError } from '../lake/storage-error.ts'
import type { Views } from './views.ts'

/**
 * Writes views into a DuckDB file of their own, which gets its name when it is whole; an earlier database of views is replaced.
 * Throws CommandError when something else has the name, for a full disk and the like.
 */
export async function writeViewDatabase(path: string, { statements }: Views): Promise<void> {
  const file = resolve(path)
  const found = await lstat(file).catch(() => undefined)
  if (found && !found.isFile()) throw new CommandError(`${file} is no file. Name a file for the database.`)
  if (found && !(await isDatabase(file))) {
    throw new CommandError(`${file} is there already, and is no DuckDB database. Name another file.`)
  }
  const unfinished = toPartialPath(file)
  try {
    using database = await openFileDatabase(unfinished)
    const connection = await database.connect()
    for (const statement of statements) await runStatement(connection, statement)
    if (found) await ensureOfViews(connection, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error instanceof CommandError ? error : toStorageError(error, `The database ${file}`)
  }
  await syncFile(unfinished)
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
}

/** What was made here holds views and tables of the new database's names and nothing else. Throws CommandError. */
async function ensureOfViews(connection: Parameters<typeof readCells>[0], file: string): Promise<void> {
  try {
    await runStatement(connection, sql`ATTACH ${sql.path(file)} AS answerlake_earlier (READ_ONLY)`)
  } catch (error) {
    throw new CommandError(`${file} is there already, and can't be read. Name another file.`, { cause: error })
  }
  const [[held = 0, others = 0] = []] = await readCells(
    connection,
    sql`
WITH held AS (
  SELECT database_name, schema_name, view_name AS name, 'view' AS kind FROM duckdb_views() WHERE NOT internal
  UNION ALL
  SELECT database_name, schema_name, table_name, 'table' FROM duckdb_tables() WHERE NOT internal
)
SELECT
  count(*),
  count_if((schema_name, name, kind) NOT IN (
    SELECT (schema_name, name, kind) FROM held WHERE database_name = current_database()
  ))
FROM held
WHERE database_name = 'answerlake_earlier'`,
  )
  await runStatement(connection, sql`DETACH answerlake_earlier`)
  if (held === 0 || others !== 0) {
    throw new CommandError(`${file} is there already, and holds other things than these views. Name another file.`)
  }
}

/** By the mark that each of DuckDB's files has behind its first checksum. */
async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 8)
    return buffer.toString('latin1', 0, bytesRead) === 'DUCK'
  } finally {
    await file.close()
  }
}
