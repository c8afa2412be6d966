import { close, read } from 'node:fs'
import { promisify } from 'node:util'
import { READ_CHUNK_BYTES } from '../limits.ts'

/** The bytes of an open regular file from its beginning, in chunks or where they are wanted. One call at a time. */
export class FileBytes {
  /** When it was opened. */
  readonly size: number
  readonly #fd: number
  #position = 0
  #reading: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** Takes the descriptor over. */
  constructor(fd: number, size: number) {
    this.#fd = fd
    this.size = size
  }

  /** The next chunk, in memory of its own. */
  async next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
    const bytes = await this.readInto(chunk)
    return bytes === 0 ? { done: true, value: undefined } : { done: false, value: chunk.subarray(0, bytes) }
  }

  /** Fills the beginning of `target`; 0 at the end of the file, and once it is closed. */
  async readInto(target: Uint8Array): Promise<number> {
    if (this.#isClosed) return 0
    const reading = readAt(this.#fd, target, 0, target.length, this.#position)
    // A descriptor that is closed while it is read might be another file's by then.
    this.#reading = reading.catch(() => undefined)
    const { bytesRead } = await reading
    this.#position += bytesRead
    return bytesRead
  }

  /** The next bytes read are those from `position` on. */
  seek(position: number): void {
    this.#position = position
  }

  /** The `length` bytes from `position` on, fewer where the file ends before; what is read next stays the same. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await readAt(this.#fd, bytes, 0, length, position)
    return bytes.subarray(0, bytesRead)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    void this.#reading.then(() => close(this.#fd))
  }
}

const readAt = promisify(read)
