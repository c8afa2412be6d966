import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getRawAsset } from 'node:sea'

/** SHA-256 of every file inside the executable, by name; put in place by the build. */
declare const ANSWERLAKE_ASSETS: Readonly<Record<string, string>>

let cacheDir: string | undefined

/**
 * Unpacks files of the executable whose names start with `prefix` and returns the directory they are in. A file that is
 * there already is used only when its bytes are the ones that were built in.
 */
export function unpack(prefix: string): string {
  cacheDir ??= openCacheDir()
  for (const [name, sha256] of Object.entries(ANSWERLAKE_ASSETS)) {
    if (name.startsWith(prefix)) unpackFile(join(cacheDir, name), name, sha256)
  }
  return cacheDir
}

function unpackFile(path: string, name: string, sha256: string): void {
  if (hashOf(path) === sha256) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${process.pid}`
  rmSync(partial, { force: true })
  writeFileSync(partial, new Uint8Array(getRawAsset(name)), { mode: 0o500, flag: 'wx' })
  renameSync(partial, path)
  if (hashOf(path) !== sha256) throw new Error(`${path} could not be unpacked whole; is the disk full or failing?`)
}

function hashOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/**
 * A directory of this user alone, named by what it holds: in the user's cache, or without a home beside the data
 * directory or in it. One that others could write to is passed over.
 */
function openCacheDir(): string {
  const contents = createHash('sha256').update(JSON.stringify(ANSWERLAKE_ASSETS)).digest('hex').slice(0, 32)
  const { XDG_CACHE_HOME, HOME } = process.env
  const dataDir = resolve(findDataDir())
  const places = [
    ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'answerlake')] : []),
    ...(HOME ? [join(HOME, '.cache', 'answerlake')] : []),
    `${dataDir}-cache`,
    join(dataDir, 'cache'),
  ]
  const refusals: string[] = []
  for (const place of places) {
    try {
      const dir = join(place, contents)
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      for (const own of [place, dir]) assertPrivate(own)
      return dir
    } catch (error) {
      refusals.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `answerlake has to unpack its native parts once and found no private directory for them:\n  ${refusals.join('\n  ')}\n` +
      'Set XDG_CACHE_HOME to a directory that only this user can write.',
  )
}

function assertPrivate(path: string): void {
  const info = lstatSync(path)
  if (!info.isDirectory()) throw new Error('is no directory')
  if (process.getuid && info.uid !== process.getuid()) throw new Error('belongs to another user')
  if (process.platform !== 'win32' && (info.mode & 0o022) !== 0) throw new Error('can be written by other users')
}

function findDataDir(): string {
  const args = process.argv
  const index = args.indexOf('--data-dir')
  const joined = args.find((arg) => arg.startsWith('--data-dir='))
  return (
    joined?.slice('--data-dir='.length) ??
    (index >= 0 ? args[index + 1] : undefined) ??
    process.env['ANSWERLAKE_DATA_DIR'] ??
    'answerlake-data'
  )
}
