import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LakeFile } from '../domain/manifest.ts'
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
