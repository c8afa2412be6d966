import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { READ_CHUNK_BYTES } from '../../limits.ts'

/** Lower-case hex SHA-256 of a file's bytes, read piece by piece. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  const handle = await open(path, 'r')
  try {
    // By hand: most files of a young lake are small, and a stream costs ten times what reading one does.
    const piece = Buffer.allocUnsafe(READ_CHUNK_BYTES)
    for (let read = await handle.read(piece); read.bytesRead > 0; read = await handle.read(piece)) {
      hash.update(piece.subarray(0, read.bytesRead))
    }
  } finally {
    await handle.close()
  }
  return hash.digest('hex')
}
