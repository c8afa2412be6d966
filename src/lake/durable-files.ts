import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'

/** Lower-case hex SHA-256 of a file's bytes, read in a stream. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part)
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
 * Forces the entries of a directory and of those above it, up to and with `top`, to the disk: a new directory is gone
 * after a power cut unless its parent was forced too, and a process that was killed may have made it without that.
 */
export async function syncDirectories(path: string, top: string): Promise<void> {
  await syncDirectory(path)
  if (path !== top && path.startsWith(top)) await syncDirectories(dirname(path), top)
}

/** Puts a failure of the file system into an operator's words; other errors stay as they are. */
export function toStorageError(error: unknown, what: string): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  const text = `${code} ${error.message}`
  if (/ENOSPC|EDQUOT|No space left|disk is full|Quota exceeded/i.test(text)) {
    return new CommandError(`${what}: the disk is full. Nothing was changed. Free some space, or move the data directory to a larger disk, and repeat the command.`, { cause: error })
  }
  if (/EROFS|read-only file system/i.test(text)) {
    return new CommandError(`${what}: the file system is mounted read-only. Nothing was changed. Mount it for writing and repeat the command.`, { cause: error })
  }
  if (/EACCES|EPERM|Permission denied/i.test(text)) {
    return new CommandError(`${what}: no permission to write in the data directory. Nothing was changed. Run the command as the user who owns it.`, { cause: error })
  }
  if (/EIO|Input\/output error/i.test(text)) {
    return new CommandError(`${what}: the disk reports an input/output error. Nothing was changed. Check the disk and the system log.`, { cause: error })
  }
  return error
}
