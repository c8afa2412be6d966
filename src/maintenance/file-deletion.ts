import { unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ChangeContext } from '../change/change-lake.ts'
import type { LakeFile } from '../domain/manifest.ts'
import { syncDirectory } from '../lake/checksums/durable-files.ts'
import { COLLECTION_BATCH_FILES } from '../limits.ts'

/**
 * Deletes replaced files, some at a time; live ones are the caller's fault and stay in the manifest. Stopped at any
 * moment, by `signal` or for ever, the next collection goes on with what is marked.
 */
export async function deleteReplacedFiles(
  context: Pick<ChangeContext, 'catalog' | 'lakeDir'>,
  files: readonly LakeFile[],
  signal?: AbortSignal,
): Promise<void> {
  for (let first = 0; first < files.length; first += COLLECTION_BATCH_FILES) {
    signal?.throwIfAborted()
    await deleteBatch(context, files.slice(first, first + COLLECTION_BATCH_FILES))
  }
}

async function deleteBatch(
  { catalog: { manifest }, lakeDir }: Pick<ChangeContext, 'catalog' | 'lakeDir'>,
  files: readonly LakeFile[],
): Promise<void> {
  const ids = files.map(({ fileId }) => fileId)
  // First of all: from here on no snapshot that needs the files is given out, whatever happens in between.
  manifest.markDeleting(ids)
  for (const { path } of files) await unlink(join(lakeDir, path)).catch(ignoreMissing)
  // Before the manifest forgets them: a name that came back after a power cut would be nobody's.
  const directories = new Set(files.map(({ path }) => dirname(join(lakeDir, path))))
  for (const directory of directories) await syncDirectory(directory).catch(ignoreMissing)
  manifest.forgetFiles(ids)
}

/**
 * Makes room on a disk that is so full that the manifest can't note what is deleted: to be followed by
 * `deleteReplacedFiles`. Only while no other process has the catalog, which could ask for a snapshot that needs them.
 */
export async function unlinkReplacedFiles(lakeDir: string, files: readonly LakeFile[]): Promise<void> {
  for (const { path } of files) await unlink(join(lakeDir, path)).catch(ignoreMissing)
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
