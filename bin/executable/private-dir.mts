import { lstatSync, statSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readSystemFile, SYSTEM_FILE } from '../../cli/system-file.ts'
import type { Environment } from '../../src/config.ts'
import { CommandError } from '../../src/errors.ts'
import { makeDirectory } from '../../src/make-directory.ts'

/** Where the cache is; found once, so that all of a process's files are in one place. */
let chosen: string | undefined

/**
 * Makes a directory of this user alone: in the user's cache, or without a home beside the data directory or in it. A
 * place that others could write to, or exchange for one of theirs, is passed over.
 */
export function openPrivateDir(name: string): string {
  const refusals: string[] = []
  for (const place of chosen === undefined ? listPlaces() : [chosen]) {
    try {
      const dir = join(place, name)
      // So the XDG Base Directory Specification wants it; a home that moves with the working directory is none either.
      if (!isAbsolute(place)) throw new Error('is no absolute path')
      assertUnmovable(place)
      for (const own of [place, dir]) {
        makeDirectory(own)
        assertPrivate(own)
      }
      chosen = place
      return dir
    } catch (error) {
      refusals.push(`${place}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new CommandError(
    'its native parts have to be unpacked once, and there is no private directory for them. Set XDG_CACHE_HOME to a directory that only this user can write. Tried were:',
    { faults: refusals },
  )
}

function listPlaces(): string[] {
  const system = readSystem()
  const { XDG_CACHE_HOME = system['XDG_CACHE_HOME'], HOME } = process.env
  const dataDir = resolve(findDataDir(system))
  return [
    ...(XDG_CACHE_HOME ? [join(XDG_CACHE_HOME, 'answerlake')] : []),
    ...(HOME ? [join(HOME, '.cache', 'answerlake')] : []),
    `${dataDir}-cache`,
    join(dataDir, 'cache'),
  ]
}

function assertPrivate(dir: string): void {
  const info = lstatSync(dir)
  if (!info.isDirectory()) throw new Error('is no directory')
  if (!isOwn(info)) throw new Error('belongs to another user, or others can write it')
}

/** Whether nobody but this user, and root, can change what the file or directory holds. */
export function isOwn({ uid, mode }: Stats): boolean {
  return process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o022) === 0)
}

/** Whoever may write a directory may put another in the place of one inside it, unless it is sticky like `/tmp`. */
function assertUnmovable(path: string): void {
  const parent = dirname(path)
  if (parent === path || process.platform === 'win32') return
  const info = statSync(parent, { throwIfNoEntry: false })
  if (info && (info.mode & 0o1000) === 0) {
    if ((info.mode & 0o002) !== 0) throw new Error(`everyone can write ${parent}`)
    if ((info.mode & 0o020) !== 0 && !isOwnGroup(info.gid)) throw new Error(`another group can write ${parent}`)
  }
  assertUnmovable(parent)
}

/** Many systems give each user a group of their own, and with it directories that it may write. */
function isOwnGroup(gid: number): boolean {
  return gid === process.getgid?.() || gid === ROOT_GROUP
}

const ROOT_GROUP = 0

/** What is wrong with the file the command itself tells. */
function readSystem(): Environment {
  try {
    return readSystemFile(process.env['ANSWERLAKE_SYSTEM_FILE'] ?? SYSTEM_FILE)
  } catch {
    return {}
  }
}

function findDataDir(system: Environment): string {
  const args = process.argv
  const index = args.indexOf('--data-dir')
  const joined = args.find((arg) => arg.startsWith('--data-dir='))
  return (
    joined?.slice('--data-dir='.length) ??
    (index >= 0 ? args[index + 1] : undefined) ??
    process.env['ANSWERLAKE_DATA_DIR'] ??
    system['ANSWERLAKE_DATA_DIR'] ??
    'answerlake-data'
  )
}
