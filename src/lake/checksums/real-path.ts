import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'

/** Where a file or directory is, or would be made, with every link followed, also one that leads to nothing yet. */
export async function toRealPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const parent = dirname(path)
  const target = await readlink(path).catch(() => undefined)
  // Put together by hand: `join` would take `..` for the parent of a link's name instead of what it leads to.
  if (target !== undefined) return toRealPath(isAbsolute(target) ? target : `${parent}${sep}${target}`)
  return parent === path ? path : join(await toRealPath(parent), basename(path))
}

/** Whether a real path is that of a directory or of something in it. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`)
}
