import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandError } from './errors.ts'

/**
 * The bytes of a small file that an operator wrote. A pipe or device, which might never end or answer, and a file with more
 * than `bytesMax` bytes are a CommandError; else the system's own error is thrown.
 */
export async function readWholeFile(path: string, bytesMax: number): Promise<Buffer> {
  // Without waiting: opening a named pipe would last until somebody writes to it, and nothing could end that.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const info = await file.stat()
    if (!info.isFile() && !info.isDirectory()) {
      throw new CommandError(`${path}: is a pipe, socket or device. Put a regular file in its place.`)
    }
    const chunks: Buffer[] = []
    let length = 0
    while (Math.max(length, info.size) <= bytesMax) {
      // Files that the system makes up say that they have no bytes.
      const chunk = Buffer.allocUnsafe(Math.max(info.size - length, 0) + MADE_UP_BYTES)
      const { bytesRead } = await file.read(chunk, 0, chunk.length)
      if (bytesRead === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, bytesRead))
      length += bytesRead
    }
    throw new CommandError(`${path}: is larger than ${bytesMax / 1_048_576} MiB.`)
  } finally {
    await file.close()
  }
}

const MADE_UP_BYTES = 4_096
