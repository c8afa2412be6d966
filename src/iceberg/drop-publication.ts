import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import { CommandError } from '../errors.ts'
import { toStorageError } from '../lake/storage-error.ts'
import { readPublication, STATE_FILE } from './publication-state.ts'
import { PUBLISHED_TABLES } from './tables.ts'

/**
 * Removes a publication from its directory; the lake's files that only it needed are collected after its grace. Gives
 * whether there was one. Throws CommandError when the directory is another data directory's, or can't be changed.
 */
export async function dropPublication({ catalog }: ChangeContext, given: string): Promise<boolean> {
  const directory = resolve(given)
  const lease = await catalog.leases.acquire(`publish:${directory}`)
  try {
    const found = await readPublication(directory)
    if (found && found.data_directory_id !== catalog.dataDirectoryId) {
      throw new CommandError(`${directory} holds the publication of another data directory. Name that with --data-dir.`)
    }
    const isKnown = catalog.publications.list(directory).some(({ replacedAt }) => replacedAt === null)
    if (!found && !isKnown) return false
    // The state first: without it there is no publication, whatever else is left. Cut off, the next call goes on.
    await rm(join(directory, STATE_FILE), { force: true })
    for (const { name } of PUBLISHED_TABLES) await rm(join(directory, name), { recursive: true, force: true })
    catalog.publications.end(directory)
    return true
  } catch (error) {
    throw toStorageError(error, `The publication in ${directory}`)
  } finally {
    lease.release()
  }
}
