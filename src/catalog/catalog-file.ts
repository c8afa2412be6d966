import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'
import { makeDirectory } from '../make-directory.ts'
import { syncDirectory } from './migrations.ts'
import { toDeniedText } from './store.ts'

/** Refuses a catalog that isn't there, and one that can't be seen, which is another matter. */
export function requireFile(path: string): void {
  try {
    statSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw new CommandError(toDeniedText(path), { cause: error })
    throw new CommandError(
      code === 'ENOENT'
        ? `There is no catalog at ${path}. \`answerlake sites create\` or \`answerlake demo\` makes one; --data-dir and ANSWERLAKE_DATA_DIR name another directory.`
        : `The catalog ${path} cannot be read (${message}). Name the data directory with --data-dir.`,
      { cause: error },
    )
  }
}

/** Makes an empty file, and its directory, where there is none; both are for their owner alone. Throws CommandError. */
export function makeFile(path: string): void {
  try {
    const first = makeDirectory(dirname(path))
    if (first !== undefined) syncParents(dirname(path), first)
    // Made before SQLite opens it, so that its write-ahead log is for the owner alone too.
    if (!existsSync(path)) closeSync(openSync(path, 'ax', 0o600))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && existsSync(path)) return
    throw new CommandError(`The catalog ${path} cannot be made (${message}). Give a directory that you may write to.`, {
      cause: error,
    })
  }
}

/** A new directory is gone after a power cut, with all that is in it, unless its parent was forced to the disk. */
function syncParents(directory: string, first: string): void {
  syncDirectory(dirname(directory))
  if (directory !== first && directory.startsWith(first)) syncParents(dirname(directory), first)
}
