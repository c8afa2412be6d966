import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LakeFile } from '../../domain/manifest.ts'
import { hashFile } from './file-hash.ts'

/** What is wrong with a file of the lake. */
export interface Damage {
  readonly kind: 'missing' | 'damaged'
  readonly what: string
}

/** Holds a file against the manifest, reading all of it; undefined when it is what was written. */
export async function findDamage(lakeDir: string, file: LakeFile): Promise<Damage | undefined> {
  const path = join(lakeDir, file.path)
  try {
    if (await isLinked(lakeDir, file.path)) return { kind: 'damaged', what: LINKED }
    const { size } = await stat(path)
    if (size !== file.bytes) return { kind: 'damaged', what: `it has ${size} bytes, ${file.bytes} were written` }
    if ((await hashFile(path)) !== file.sha256) {
      return { kind: 'damaged', what: 'its checksum is not the one recorded' }
    }
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', what: 'it is missing' }
    if (code === 'EIO' || code === 'EISDIR') return { kind: 'damaged', what: `it can't be read (${code})` }
    throw error
  }
}

export const LINKED = 'a symbolic link stands in its place or on the way to it'

/**
 * Whether a symbolic link within the lake leads to a file, given relative to the lake. Its bytes may be right today, but
 * they are not the lake's own. The lake as a whole may be reached through a link. Throws what the system says of a path
 * that leads nowhere.
 */
export async function isLinked(lakeDir: string, path: string): Promise<boolean> {
  const [top, real] = await Promise.all([realpath(lakeDir), realpath(join(lakeDir, path))])
  return real !== join(top, path)
}
