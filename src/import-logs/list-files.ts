import { readdir, stat } from 'node:fs/promises'
import { basename, join, matchesGlob, relative } from 'node:path'
import { CommandError, UsageError } from '../errors.ts'
import { toOpenError } from '../input/open.ts'

/**
 * The files of an import: those named, and in the place of a directory the regular files in it, at any depth, sorted by path.
 * What begins with a dot, and links, are passed over. With `include` only those of a directory whose name, or path in it, matches one of the globs.
 * Throws CommandError for a directory that can't be read or has no such file.
 */
export async function listFiles(paths: readonly string[], include: readonly string[]): Promise<readonly string[]> {
  const lists: (readonly string[])[] = []
  let directories = 0
  for (const path of paths) {
    const isDirectory = path !== '-' && ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)
    if (isDirectory) directories += 1
    lists.push(isDirectory ? await listDirectory(path, include) : [path])
  }
  if (include.length > 0 && directories === 0) throw new UsageError('--include: no directory is named.')
  return lists.flat()
}

async function listDirectory(directory: string, include: readonly string[]): Promise<readonly string[]> {
  const isTaken = (path: string): boolean => {
    const [name, inDirectory] = [basename(path), relative(directory, path)]
    return include.length === 0 || include.some((glob) => matchesGlob(name, glob) || matchesGlob(inDirectory, glob))
  }
  const files = (await walk(directory)).filter(isTaken).sort()
  if (files.length > 0) return files
  throw new CommandError(`${directory}: there is no file in it${include.length > 0 ? ' that --include takes' : ''}.`)
}

/** Regular files below a directory. Links are not followed: they may lead in a circle. */
async function walk(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    throw toOpenError(directory, error)
  })
  const files: string[] = []
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) files.push(...(await walk(path)))
    else if (entry.isFile()) files.push(path)
  }
  return files
}
