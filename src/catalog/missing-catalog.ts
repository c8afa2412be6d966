import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DATASETS } from '../domain/manifest.ts'
import { CommandError } from '../errors.ts'

/**
 * Refuses a catalog that was lost, with a CommandError: a new one in its place would take all files of the lake for
 * leftovers of killed changes, and the next change would delete them. `isEmpty` says whether there is nothing in it.
 */
export function refuseMissingCatalog(path: string, isEmpty: () => boolean): void {
  if (!isMissingCatalog(path, isEmpty)) return
  const lakeDir = join(dirname(path), 'lake')
  const state = statSync(path, { throwIfNoEntry: false }) === undefined ? 'missing' : 'empty'
  throw new CommandError(
    `The catalog ${path} is ${state}, but ${lakeDir} holds data files: the catalog was lost, or a restoration was cut off. Nothing was changed. ` +
      'Restore the newest backup into a new directory (`answerlake restore BACKUP --data-dir NEW`; a restoration into this one that was cut off is run again), ' +
      `or, to begin anew without that data, move ${lakeDir} away.`,
  )
}

/** Whether the catalog, in which there is nothing, stands beside data files. In the making it never does: they come later. */
export function isMissingCatalog(path: string, isEmpty = () => isMissingOrEmpty(path)): boolean {
  // Asked again after the look at the lake: another process may have begun the directory in between.
  return isEmpty() && holdsDataFiles(join(dirname(path), 'lake')) && isEmpty()
}

/** Whether a file of no bytes, or none at all, is in the place of the catalog; false where that can't be seen. */
export function isMissingOrEmpty(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0
  } catch {
    // Opening it says why.
    return false
  }
}

/** Staged files don't count: nobody has seen them yet. */
function holdsDataFiles(lakeDir: string): boolean {
  return DATASETS.some((dataset) => {
    const sites = listPaths(join(lakeDir, dataset))
    return sites.some((site) => listPaths(site).some((month) => listPaths(month).some(isParquet)))
  })
}

/** What is in a directory; nothing when it isn't there, or is no directory. */
function listPaths(directory: string): string[] {
  try {
    return readdirSync(directory).map((name) => join(directory, name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

const isParquet = (path: string): boolean => path.endsWith('.parquet')
