import { createHash } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ApiError, CommandError } from '../errors.ts'
import { systemRandom, toBase32 } from '../ids.ts'
import { READ_CHUNK_BYTES } from '../limits.ts'

/** Lower-case hex SHA-256 of a file's bytes, read piece by piece. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  try {
    // By hand: most files of a young lake are small, and a stream costs ten times what reading one does.
    const piece = Buffer.allocUnsafe(READ_CHUNK_BYTES)
    for (let read = await handle.read(piece); read.bytesRead > 0; read = await handle.read(piece)) {
      hash.update(piece.subarray(0, read.bytesRead))
    }
  } finally {
    await handle.close()
  }
  return hash.digest('hex')
}

/** Forces a file's bytes to the disk. An error is final: after a failed fsync a second try proves nothing. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Forces a directory's entries to the disk: without it a new name may be gone after a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows can't sync a directory; its names are in the journal of the file system.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Forces the entries of directories and of those above them, up to and with `top`, to the disk, each once: a new directory
 * is gone after a power cut unless its parent was forced too, and a process that was killed may have made it without that.
 */
export async function syncDirectories(paths: Iterable<string>, top: string): Promise<void> {
  const directories = new Set([top])
  for (const path of paths) {
    for (
      let directory = path;
      !directories.has(directory) && directory.startsWith(top);
      directory = dirname(directory)
    ) {
      directories.add(directory)
    }
  }
  for (const directory of directories) await syncDirectory(directory)
}

/** Makes a directory, for its owner alone, and those above it that are not there; none of them is gone after a power cut. */
export async function makeDirectoryDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first !== undefined) await syncDirectories([dirname(resolve(path))], dirname(resolve(first)))
}

/** Where a file stands until it is whole, on the same disk; and how it gets its name then. */
export interface WriteOptions {
  readonly partial?: string
  readonly place?: (partial: string, path: string) => void | Promise<void>
}

/** Writes a file whole or not at all, replacing what is there. */
export async function writeDurably(
  path: string,
  bytes: string | Uint8Array,
  { partial = `${path}.${toBase32(systemRandom.bytes(5))}.tmp`, place = rename }: WriteOptions = {},
): Promise<void> {
  try {
    await writeFile(partial, bytes, { mode: 0o600, flush: true })
    await place(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
}

/**
 * Puts a failure of the file system, of DuckDB's among them, into an operator's words; other errors stay as they are.
 * `outcome` says what became of the work.
 */
export function toStorageError(error: unknown, what: string, outcome = 'Nothing was changed.'): unknown {
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof ApiError) return error
  const code = 'code' in error ? String(error.code) : ''
  const found = FAILURES.find(({ pattern }) => pattern.test(`${code} ${error.message}`))
  return found ? new CommandError(`${what}: ${found.what} ${outcome} ${found.remedy}`, { cause: error }) : error
}

const FAILURES = [
  {
    pattern: /ENOSPC|EDQUOT|No space left|disk is full|quota exceeded/i,
    what: 'the disk is full or its quota used up.',
    remedy: 'Free some space (`answerlake lake gc` deletes what is no longer needed) and repeat the command.',
  },
  {
    pattern: /EROFS|read-only file system/i,
    what: 'the file system is mounted read-only.',
    remedy: 'Mount it for writing and repeat the command.',
  },
  {
    pattern: /EACCES|EPERM|Permission denied|Operation not permitted/i,
    what: 'permission is denied.',
    remedy: 'Run the command as the user who owns the data directory, or correct its permissions.',
  },
  {
    pattern: /\bEIO\b|Input\/output error/i,
    what: 'the disk reports an input/output error.',
    remedy: 'Check the disk and the system log before you repeat the command.',
  },
  {
    pattern: /EMFILE|ENFILE|Too many open files/i,
    what: 'too many files are open.',
    remedy: 'Raise the limit (`ulimit -n`) and repeat the command.',
  },
] as const
