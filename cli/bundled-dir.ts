import { join } from 'node:path'

/**
 * A directory of the package's `data/`, which is beside this file's directory in the sources and in the built program
 * alike. The executable has its own `bin/executable/bundled-dir.mts`.
 */
export function getBundledDir(name: string): string {
  return join(import.meta.dirname, '../data', name)
}
