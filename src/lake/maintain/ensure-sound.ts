import { join } from 'node:path'
import type { LakeFile } from '../../domain/manifest.ts'
import { CommandError } from '../../errors.ts'
import { findDamage } from '../checksums/file-damage.ts'

/** A file that isn't what was written; what it holds may not be copied any further. */
export class DamagedFileError extends CommandError {}

/** Holds a file against its checksum before rows are copied out of it. Throws DamagedFileError. */
export async function ensureSound(lakeDir: string, file: LakeFile, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const damage = await findDamage(lakeDir, file)
  if (!damage) return
  throw new DamagedFileError(
    `${join(lakeDir, file.path)}: ${damage.what}. Its data set's files of ${file.month} stay as they are. Run \`answerlake lake verify\`, then restore a backup or drop the file with \`answerlake lake repair --drop\`.`,
  )
}
