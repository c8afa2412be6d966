import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

/** How a frame of zstd begins. */
const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Which of the marks are in the bytes of any file under the directory, as they are or within any frame of zstd, which is how
 * Parquet holds its columns; with the files that hold them.
 */
export function findMarks(directory: string, marks: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const parts = [bytes, ...listFrames(bytes)]
    for (const mark of marks) {
      if (parts.some((part) => part.includes(mark))) (found[mark] ??= []).push(path.slice(directory.length + 1))
    }
  }
  return found
}

function listFrames(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = bytes.indexOf(FRAME); at >= 0; at = bytes.indexOf(FRAME, at + 1)) {
    try {
      frames.push(zstdDecompressSync(bytes.subarray(at)))
    } catch {
      // These four bytes are no frame.
    }
  }
  return frames
}
