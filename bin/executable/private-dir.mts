import { lstatSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the cache is; found once, so that all of a process's files are in one place. */
let chosen: string | undefined

/**
 * Makes a directory of this user alone: in the user's cache, or without a home beside the data directory or in it. A
 * place that others could write to is passed over.
 */
export function openPrivateDir(name: string): string {
  const refusals: string[] = []
  for (const place of chosen === undefined ? listPlaces() : [chosen]) {
    try {
      const dir = join(place, name)
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      for (const own of [place, dir]) assertPrivate(own)
      chosen = place
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

function listPlaces(): string[] {
  const { XDG_CACHE_HOME, HOME } = process.env
  const dataDir = resolve(findDataDir())
  return [
    ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'answerlake')] : []),
    ...(HOME ? [join(HOME, '.cache', 'answerlake')] : []),
    `${dataDir}-cache`,
    join(dataDir, 'cache'),
  ]
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
