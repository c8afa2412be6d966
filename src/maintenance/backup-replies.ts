import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { listReplyFiles, type ReplyFile } from '../collect/kept-replies.ts'
import { REPLIES_DIR } from '../domain/forgotten-replies.ts'
import { syncDirectories, syncDirectory, toPartialPath } from '../lake/checksums/durable-files.ts'
import { copyVerified } from '../lake/checksums/verified-copy.ts'
import { makeDirectory } from '../make-directory.ts'
import type { BackupManifest } from './backup-manifest.ts'

type BackedUpReplies = NonNullable<BackupManifest['replies']>[number]

export interface BackUpRepliesOptions {
  readonly dataDir: string
  readonly dir: string
  /** Whether the backup's catalog knows a run. */
  readonly knows: (runId: string) => boolean
  readonly earlier: BackupManifest | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Copies the files of raw replies whose runs the backup's catalog knows, durably; those that are as they were in the earlier
 * backup are not read. In the backup a file is named by its content, so that an earlier backup keeps its own while files are
 * written anew. One that its run still writes is copied as far as it is; its lines are there before the catalog tells of them.
 */
export async function backUpReplies(options: BackUpRepliesOptions): Promise<BackedUpReplies[]> {
  const { dataDir, dir, knows, earlier, signal } = options
  const known = new Map(earlier?.replies?.map((file) => [file.name, file]))
  const copied: BackedUpReplies[] = []
  const files = (await listReplyFiles(dataDir)).filter(({ state, runId }) => state !== 'left' && knows(runId))
  for (const file of files) {
    signal?.throwIfAborted()
    const source = await openReplies(dataDir, file)
    if (source === undefined) continue
    const { handle, name } = source
    try {
      const { size: bytes, mtimeMs } = await handle.stat()
      const modifiedMs = Math.floor(mtimeMs)
      const before = known.get(name)
      const isKnown = before?.bytes === bytes && before.modified_ms === modifiedMs && (await hasSize(dir, before))
      copied.push(
        isKnown ? before : { name, ...(await copyByContent(handle, dir, bytes, signal)), modified_ms: modifiedMs },
      )
    } finally {
      await handle.close()
    }
  }
  if (copied.length > 0) await syncDirectories([join(dir, REPLIES_DIR)], dir)
  return copied
}

/** A file may have been sealed, or gone, since it was listed. */
async function openReplies(
  dataDir: string,
  { name, state }: ReplyFile,
): Promise<{ handle: FileHandle; name: string } | undefined> {
  for (const found of state === 'open' ? [name, `${name}.zst`] : [name]) {
    const handle = await open(join(dataDir, found), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (handle) return { handle, name: found.replaceAll(sep, '/') }
  }
  return undefined
}

async function hasSize(dir: string, { path, bytes }: BackedUpReplies): Promise<boolean> {
  const found = await stat(join(dir, path)).catch(() => undefined)
  return found?.size === bytes
}

async function copyByContent(
  source: FileHandle,
  dir: string,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<Pick<BackedUpReplies, 'path' | 'bytes' | 'sha256'>> {
  makeDirectory(join(dir, REPLIES_DIR))
  const partial = toPartialPath(join(dir, REPLIES_DIR, 'copy'))
  const hash = createHash('sha256')
  try {
    const target = await open(partial, 'wx', 0o600)
    try {
      const block = Buffer.allocUnsafe(BLOCK_BYTES)
      for (let at = 0; at < bytes;) {
        signal?.throwIfAborted()
        const { bytesRead } = await source.read(block, 0, Math.min(BLOCK_BYTES, bytes - at), at)
        if (bytesRead === 0) throw new Error('a file of raw replies became shorter while it was copied')
        const part = block.subarray(0, bytesRead)
        hash.update(part)
        await target.writeFile(part)
        at += bytesRead
      }
      await target.sync()
    } finally {
      await target.close()
    }
    const sha256 = hash.digest('hex')
    const path = `${REPLIES_DIR}/${sha256}`
    await rename(partial, join(dir, path))
    return { path, bytes, sha256 }
  } finally {
    await rm(partial, { force: true })
  }
}

const BLOCK_BYTES = 1_048_576

/** Puts a backup's raw replies below a directory, durably, each held against its checksum. Throws CommandError. */
export async function placeReplies(
  { dir, signal }: { readonly dir: string; readonly signal?: AbortSignal | undefined },
  { replies = [] }: BackupManifest,
  target: string,
): Promise<void> {
  const directories = new Set<string>()
  for (const file of replies) {
    signal?.throwIfAborted()
    await copyVerified(join(dir, file.path), join(target, file.name), file, signal)
    directories.add(dirname(join(target, file.name)))
  }
  for (const directory of directories) await syncDirectory(directory)
  if (directories.size > 0) await syncDirectories(directories, target)
}
