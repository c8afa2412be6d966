import { join } from 'node:path'
import type { Dataset, LakeFile } from '../../domain/manifest.ts'
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

/** The same for those of `files` that hold one of the data sets. */
export async function ensureAllSound(
  lakeDir: string,
  files: readonly LakeFile[],
  datasets: readonly Dataset[],
): Promise<void> {
  for (const file of files) if (datasets.includes(file.dataset)) await ensureSound(lakeDir, file, undefined)
}

/** Runs work that reads files; where it fails because one of them isn't what was written, says so. Throws DamagedFileError. */
export async function blamingDamage<T>(
  lakeDir: string,
  files: readonly LakeFile[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (const file of files) await ensureSound(lakeDir, file, undefined)
    throw error
  }
}
