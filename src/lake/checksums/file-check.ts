import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { LakeFile } from '../../domain/manifest.ts'
import { ApiError } from '../../errors.ts'
import { FILES_HASHED_AT_ONCE, FILES_KNOWN_INTACT_MAX } from '../../limits.ts'
import { isLinked, LINKED } from './file-damage.ts'
import { hashFile } from './file-hash.ts'

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
  // Bounded by size, not by `max`, which would take the room for all of them at once.
  const intact = new LRUCache<string, string>({ maxSize: FILES_KNOWN_INTACT_MAX, sizeCalculation: () => 1 })
  const hashing = new Map<string, Promise<string>>()
  const inTurn = pLimit(FILES_HASHED_AT_ONCE)

  async function check(file: LakeFile): Promise<void> {
    const path = join(lakeDir, file.path)
    const info = await lstat(path, { bigint: true }).catch((error: unknown) => {
      throw toUnavailable(path, error)
    })
    if (info.isSymbolicLink()) throw unavailable(`${path}: ${LINKED}`)
    if (Number(info.size) !== file.bytes) throw unavailable(`${path} has ${info.size} bytes, not ${file.bytes}`)
    const identity = `${info.ino}:${info.mtimeNs}:${info.ctimeNs}`
    if (intact.get(file.fileId) === identity) return
    const linked = await isLinked(lakeDir, file.path).catch((error: unknown) => {
      throw toUnavailable(path, error)
    })
    if (linked) throw unavailable(`${path}: ${LINKED}`)
    const key = `${file.fileId} ${identity}`
    const running = hashing.get(key) ?? inTurn(() => hashFile(path)).finally(() => hashing.delete(key))
    hashing.set(key, running)
    const sha256 = await running.catch((error: unknown) => {
      throw toUnavailable(path, error)
    })
    if (sha256 !== file.sha256) throw unavailable(`${path} is damaged: its checksum is not the one recorded`)
    intact.set(file.fileId, identity)
  }

  return {
    async ensureIntact(files) {
      await Promise.all(files.map(check))
    },
  }
}

/** A process that ran out of file handles says nothing about the file. */
function toUnavailable(path: string, error: unknown): ApiError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new ApiError('overloaded', 'Too many files are open. Try again in a moment.', {
      retryAfterSeconds: 5,
      cause: error,
    })
  }
  return unavailable(`${path} can't be read`, error)
}

function unavailable(what: string, cause?: unknown): ApiError {
  return new ApiError(
    'data_unavailable',
    'A file that this report needs is missing or damaged. Ask the operator to run `answerlake lake verify`.',
    { retryAfterSeconds: 60, cause: new Error(what, { cause }) },
  )
}
