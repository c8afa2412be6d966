import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CommandError } from '../../errors.ts'
import { makeDirectory } from '../../make-directory.ts'
import { toPartialPath } from './durable-files.ts'

/** What a file must hold. */
export interface FileContent {
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/**
 * Copies a file and makes the copy's bytes durable; the directory's entry is the caller's to sync. The copy gets its name
 * only when it holds what it must. Throws CommandError for a source that doesn't.
 */
export async function copyVerified(
  from: string,
  to: string,
  content: FileContent,
  signal?: AbortSignal,
): Promise<void> {
  makeDirectory(dirname(to))
  const partial = toPartialPath(to)
  try {
    const { bytes, sha256 } = await copy(from, partial, signal)
    if (bytes !== content.bytes || sha256 !== content.sha256) {
      throw new CommandError(`${from} is damaged: it has not the size and checksum recorded.`)
    }
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new CommandError(`${from} is missing.`, { cause: error })
    }
    throw error
  }
}

async function copy(from: string, to: string, signal: AbortSignal | undefined): Promise<FileContent> {
  const hash = createHash('sha256')
  let bytes = 0
  const target = await open(to, 'wx', 0o600)
  try {
    for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 })) {
      signal?.throwIfAborted()
      const part = chunk as Buffer
      hash.update(part)
      await target.writeFile(part)
      bytes += part.length
    }
    await target.sync()
  } finally {
    await target.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}
