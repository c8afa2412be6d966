import { lstat, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../errors.ts'
import { systemRandom, toBase32 } from '../ids.ts'
import { syncDirectory, syncFile } from '../lake/checksums/durable-files.ts'
import { openFileDatabase } from '../lake/instance.ts'
import { runStatement } from '../lake/statement.ts'
import { toStorageError } from '../lake/storage-error.ts'
import type { Views } from './views.ts'

/**
 * Writes views into a DuckDB file of their own, which gets its name when it is whole; an earlier one is replaced. Throws
 * CommandError when `path` is no file that this wrote, for a full disk and the like.
 */
export async function writeViewDatabase(path: string, { statements }: Views): Promise<void> {
  const file = resolve(path)
  const found = await lstat(file).catch(() => undefined)
  if (found && !found.isFile()) throw new CommandError(`${file} is no file. Name a file for the database.`)
  const unfinished = `${file}.${toBase32(systemRandom.bytes(5))}.tmp`
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
