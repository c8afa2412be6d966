import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LakeFile } from '../domain/manifest.ts'
import { ApiError } from '../errors.ts'
import { hashFile } from './durable-files.ts'

/**
 * Holds the files of a report against the manifest before DuckDB reads them: DuckDB doesn't notice a flipped bit, and a
 * report would be silently wrong. Size and identity are looked at each time, the checksum on first use and again when
 * the file's times or identity changed.
 */
export interface FileCheck {
  /** Throws ApiError `data_unavailable` when a file is missing or isn't what was written; its path is in the cause. */
  ensureIntact(files: readonly LakeFile[]): Promise<void>
}

export function createFileCheck(lakeDir: string): FileCheck {
  const intact = new Map<string, string>()
  const hashing = new Map<string, Promise<string>>()

  async function check(file: LakeFile): Promise<void> {
    const path = join(lakeDir, file.path)
    const info = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw unavailable(`${path} can't be read`, error)
    })
    if (Number(info.size) !== file.bytes) throw unavailable(`${path} has ${info.size} bytes, not ${file.bytes}`)
    const identity = `${info.ino}:${info.mtimeNs}:${info.ctimeNs}`
    if (intact.get(file.fileId) === identity) return
    const running = hashing.get(file.fileId) ?? hashFile(path)
    hashing.set(file.fileId, running)
    try {
      if ((await running) !== file.sha256) throw unavailable(`${path} is damaged: its checksum is not the one recorded`)
      intact.set(file.fileId, identity)
    } catch (error) {
      throw error instanceof ApiError ? error : unavailable(`${path} can't be read`, error)
    } finally {
      hashing.delete(file.fileId)
    }
  }

  return {
    async ensureIntact(files) {
      await Promise.all(files.map(check))
    },
  }
}

function unavailable(what: string, cause?: unknown): ApiError {
  return new ApiError(
    'data_unavailable',
    'A file that this report needs is missing or damaged. Ask the operator to run `answerlake lake verify`.',
    { retryAfterSeconds: 60, cause: new Error(what, { cause }) },
  )
}
