import type { Readable } from 'node:stream'
import { CommandError } from '../errors.ts'

/** The bytes of a file or stream as they are, counted, with a look at the first ones before they are read. */
export class Source {
  /** What messages call it. */
  readonly name: string
  /** Undefined for standard input and pipes. */
  readonly totalBytes: number | undefined
  readonly #stream: Readable
  readonly #chunks: AsyncIterator<Buffer>
  #head: Buffer | undefined
  #readBytes = 0

  constructor(name: string, stream: Readable, totalBytes: number | undefined) {
    this.name = name
    this.totalBytes = totalBytes
    this.#stream = stream
    this.#chunks = stream[Symbol.asyncIterator]()
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

  close(): void {
    this.#stream.destroy()
  }

  async #take(): Promise<Buffer | undefined> {
    try {
      const next = await this.#chunks.next()
      return next.done === true ? undefined : next.value
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError(`${this.name}: reading failed (${reason}). Check the disk, then import it again.`, {
        cause: error,
      })
    }
  }
}
