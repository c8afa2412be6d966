import { open, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemRandom, toBase32 } from '../../ids.ts'
import { makeDirectory } from '../../make-directory.ts'

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

/**
 * Makes a directory, for its owner alone, and those above it that are not there; none of them is gone after a power cut.
 * Gives the topmost one that it made.
 */
export async function makeDirectoryDurably(path: string): Promise<string | undefined> {
  const first = makeDirectory(path)
  if (first === undefined) return undefined
  await syncDirectories([dirname(resolve(path))], dirname(resolve(first)))
  return resolve(first)
}

/** Removes a directory and those above it, up to and with `first`, while they are empty. Never fails: it tidies up. */
export async function removeEmptyDirectories(path: string, first: string): Promise<void> {
  for (let directory = resolve(path); directory.startsWith(first); directory = dirname(directory)) {
    if (
      !(await rmdir(directory).then(
        () => true,
        () => false,
      ))
    )
      return
  }
}

/** Where a file stands until it is whole, on the same disk; and how it gets its name then. */
export interface WriteOptions {
  readonly partial?: string
  readonly place?: (partial: string, path: string) => void | Promise<void>
}

/** A path of chance beside another, for what gets that name when it is whole. */
export function toPartialPath(path: string): string {
  return `${path}.${toBase32(systemRandom.bytes(5))}.tmp`
}

/** Writes a file whole or not at all, replacing what is there. */
export async function writeDurably(
  path: string,
  bytes: string | Uint8Array,
  { partial = toPartialPath(path), place = rename }: WriteOptions = {},
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
