import { createHash, hash, randomUUID } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { getRawAsset } from 'node:sea'
import { CommandError } from '../../src/errors.ts'
import { isOwn, openPrivateDir } from './private-dir.mts'

/** SHA-256 of every file inside the executable, by name; put in place by the build. */
declare const ANSWERLAKE_ASSETS: Readonly<Record<string, string>>

/** Large enough for the hash to be as fast as it can be, small enough for requests to be answered in between. */
const CHUNK_BYTES = 1_048_576

/** Files whose bytes this process has held against their hash. */
const intact = new Set<string>()

/**
 * Unpacks a folder of the executable and returns the directory its files are in. A file that is there already is used
 * only when its bytes are the ones that were built in, and replaced otherwise.
 */
export function unpack(folder: string): string {
  const { dir, files } = locate(folder)
  for (const { name, path, sha256 } of files) {
    if (intact.has(path)) continue
    if (hashNow(path) !== sha256) {
      writeFile(path, getRawAsset(name))
      if (hashNow(path) !== sha256)
        throw new CommandError(`${path} was not unpacked whole; is the disk full or failing?`)
    }
    intact.add(path)
  }
  return dir
}

/** Checks, without blocking, what an earlier start has unpacked, so that `unpack` needn't. */
export async function checkAhead(folder: string): Promise<void> {
  for (const { path, sha256 } of locate(folder).files) {
    if (!intact.has(path) && (await hashGradually(path)) === sha256) intact.add(path)
  }
}

interface PackedFile {
  /** Inside the executable. */
  readonly name: string
  /** Unpacked. */
  readonly path: string
  readonly sha256: string
}

/** The folder's directory, named by what it holds: programs of the same files share it, others never meet in it. */
function locate(folder: string): { readonly dir: string; readonly files: readonly PackedFile[] } {
  const assets = Object.entries(ANSWERLAKE_ASSETS).filter(([name]) => name.startsWith(`${folder}/`))
  const contents = hash('sha256', JSON.stringify(assets)).slice(0, 32)
  const dir = openPrivateDir(`${folder.replaceAll('/', '-')}-${contents}`)
  return {
    dir,
    files: assets.map(([name, sha256]) => ({ name, path: join(dir, name.slice(folder.length + 1)), sha256 })),
  }
}

function writeFile(path: string, bytes: ArrayBuffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomUUID()}`
  try {
    writeFileSync(partial, new Uint8Array(bytes), { mode: 0o500, flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** SHA-256 of a file of this user alone; undefined where there is none. */
function hashNow(path: string): string | undefined {
  if (!isSafe(path)) return undefined
  const sha256 = createHash('sha256')
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const bytes = readSync(file, chunk)
      if (bytes === 0) return sha256.digest('hex')
      sha256.update(chunk.subarray(0, bytes))
    }
  } finally {
    closeSync(file)
  }
}

async function hashGradually(path: string): Promise<string | undefined> {
  if (!isSafe(path)) return undefined
  const sha256 = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) sha256.update(chunk as Buffer)
  return sha256.digest('hex')
}

function isSafe(path: string): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false })
  return info?.isFile() === true && isOwn(info)
}
