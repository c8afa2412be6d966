import type { Readable } from 'node:stream'
import { CommandError } from '../errors.ts'
import { FileBytes } from './file-bytes.ts'

/** The bytes of a file or stream as they are, counted, with a look at the first ones before they are read. */
export class Source {
  /** What messages call it. */
  readonly name: string
  /** Undefined for standard input and pipes. */
  readonly totalBytes: number | undefined
  readonly #file: FileBytes | undefined
  readonly #stream: Readable | undefined
  readonly #chunks: { next(): Promise<IteratorResult<Buffer, unknown>> }
  #head: Buffer | undefined
  #readBytes = 0

  /** `bytes` are read from the first one on. */
  constructor(name: string, bytes: Readable | FileBytes) {
    this.name = name
    const isFile = bytes instanceof FileBytes
    this.totalBytes = isFile ? bytes.size : undefined
    this.#file = isFile ? bytes : undefined
    this.#stream = isFile ? undefined : bytes
    this.#chunks = isFile ? bytes : bytes[Symbol.asyncIterator]()
  }

  /** Bytes that `next` has returned. */
  get readBytes(): number {
    return this.#readBytes
  }

  /** At least the first `bytes` bytes, unless there are fewer. Call it before `next`, which starts with them all the same. */
  async peek(bytes: number): Promise<Buffer> {
    let head: Buffer = Buffer.alloc(0)
    while (head.length < bytes) {
      const chunk = await this.#take()
      if (chunk === undefined) break
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    }
    this.#head = head.length === 0 ? undefined : head
    return head
  }

  /** The next bytes, undefined at the end. Throws `CommandError` when reading fails. */
  async next(): Promise<Buffer | undefined> {
    const head = this.#head
    this.#head = undefined
    const chunk = head ?? (await this.#take())
    this.#readBytes += chunk?.length ?? 0
    return chunk
  }

  /**
   * Reads the next bytes of a file where they are wanted and gives their number, 0 at the end; undefined when there are
   * none to be had that way. Throws `CommandError` when reading fails.
   */
  async readInto(target: Uint8Array): Promise<number | undefined> {
    if (this.#file === undefined || this.#head !== undefined) return undefined
    const bytes = await this.#orFail(this.#file.readInto(target))
    this.#readBytes += bytes
    return bytes
  }

  /** The bytes of a regular file at a position, without moving on. Throws `CommandError` when reading fails. */
  async readAt(position: number, length: number): Promise<Buffer> {
    if (!this.#file) throw new Error('only a regular file is read anywhere')
    return this.#orFail(this.#file.readAt(position, length))
  }

  /** Goes on at a position of a regular file. */
  seek(position: number): void {
    if (!this.#file) throw new Error('only a regular file is read anywhere')
    this.#head = undefined
    this.#file.seek(position)
    this.#readBytes = position
  }

  close(): void {
    this.#file?.close()
    this.#stream?.destroy()
  }

  async #take(): Promise<Buffer | undefined> {
    const next = await this.#orFail(this.#chunks.next())
    return next.done === true ? undefined : next.value
  }

  async #orFail<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError(`${this.name}: reading failed (${reason}). Check the disk, then import it again.`, {
        cause: error,
      })
    }
  }
}
