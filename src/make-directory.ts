import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory, for its owner alone, and those above it that are not there. Gives the first that it made, undefined
 * when all were there. Throws the system's error. Node's own `recursive` never returns where the system shows a directory
 * and denies making anything in it for want of it (`/proc/x`).
 */
export function makeDirectory(path: string): string | undefined {
  const missing: string[] = []
  for (let directory = resolve(path); !existsSync(directory); directory = dirname(directory)) missing.unshift(directory)
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: 0o700 })
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  if (!statSync(path).isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
  return missing[0]
}
