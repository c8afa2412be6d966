import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { syncDirectory, syncFile, toPartialPath } from '../lake/checksums/durable-files.ts'
import { openFileDatabase } from '../lake/instance.ts'
import { runStatement } from '../lake/statement.ts'
import { toStorageError } from '../lake/storage-error.ts'
import type { Views } from './views.ts'

/**
 * Writes views into a DuckDB file of their own, which gets its name when it is whole; an earlier database is replaced with
 * all that is in it. Throws CommandError when something else has the name, for a full disk and the like.
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
  } catch (error) {
    await rm(unfinished, { force: true })
    throw toStorageError(error, `The database ${file}`)
  }
  await syncFile(unfinished)
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
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
