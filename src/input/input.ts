import { close, createReadStream, fstat, open } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { CommandError } from '../errors.ts'
import { READ_CHUNK_BYTES } from '../limits.ts'
import { type Compression, decompress, recogniseCompression, refuseOtherArchives } from './decompress.ts'
import { FileBytes } from './file-bytes.ts'
import { ForeignContentError, toOpenError } from './open-error.ts'
import { Source } from './source.ts'

export interface InputOptions {
  /** What `-` reads; the process's standard input unless another stream is given. */
  readonly stdin?: Readable
  /** What messages call the file where the path is a copy of this program's own. */
  readonly name?: string
}

/**
 * Opens a file to import, or standard input for `-`. gzip and zstd are recognised by their first bytes, whatever the
 * file is called, with any number of members or frames (contract/imports 2.7, contract/logs 1.1).
 *
 * Throws `CommandError`, here or while the content is read, when the file is missing, a directory, unreadable,
 * truncated or corrupt; the message names the file and says what to do.
 */
export async function openInput(path: string, options: InputOptions = {}): Promise<Input> {
  if (path === '-') return startInput(new Source('standard input', options.stdin ?? process.stdin))
  const fd = await promisify(open)(path, 'r').catch((error: unknown) => {
    throw toOpenError(path, error)
  })
  const stats = await promisify(fstat)(fd)
  if (stats.isDirectory()) {
    await promisify(close)(fd)
    throw new CommandError(`${path}: is a directory. Name the files in it, for example ${path.replace(/\/+$/, '')}/*.`)
  }
  const bytes = stats.isFile()
    ? new FileBytes(fd, stats.size)
    : createReadStream(path, { fd, highWaterMark: READ_CHUNK_BYTES })
  return startInput(new Source(options.name ?? path, bytes))
}

/** The decompressed content of one file, to be read once, in memory that does not grow with it. */
export class Input implements AsyncIterable<Buffer> {
  /** What messages call it: the path as given, or `standard input`. */
  readonly name: string
  readonly compression: Compression | undefined
  readonly #source: Source
  readonly #content: AsyncGenerator<Buffer, void, undefined>
  readonly #ahead: Buffer[] = []

  constructor(source: Source, compression: Compression | undefined) {
    this.name = source.name
    this.compression = compression
    this.#source = source
    const content = compression === undefined ? readAll(source) : decompress(source, compression)
    this.#content = refuseTar(content, source.name, compression)
  }

  /** The first `bytes` of the content, fewer when it is shorter; reading it afterwards still starts at the first byte. */
  async peek(bytes: number): Promise<Buffer> {
    let held = this.#ahead.reduce((sum, chunk) => sum + chunk.length, 0)
    while (held < bytes) {
      const next = await this.#content.next()
      if (next.done === true) break
      this.#ahead.push(next.value)
      held += next.value.length
    }
    return Buffer.concat(this.#ahead).subarray(0, bytes)
  }

  /** The content in chunks of any size, at most half a megabyte; the file is closed at the end or when the loop is left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for (let chunk = this.#ahead.shift(); chunk !== undefined; chunk = this.#ahead.shift()) yield chunk
      yield* this.#content
    } finally {
      await this.close()
    }
  }

  /**
   * Fills the beginning of `target` with the next bytes of the content and gives their number, 0 at the end: for who
   * doesn't need chunks of their own memory. Not beside the loop over chunks.
   */
  async read(target: Uint8Array): Promise<number> {
    const chunk = this.#ahead.shift()
    if (chunk !== undefined) {
      const bytes = chunk.copy(target)
      if (bytes < chunk.length) this.#ahead.unshift(chunk.subarray(bytes))
      return bytes
    }
    const direct = this.compression === undefined ? await this.#source.readInto(target) : undefined
    if (direct !== undefined) return direct
    const next = await this.#content.next()
    if (next.done === true) return 0
    this.#ahead.push(next.value)
    return this.read(target)
  }

  /** Whether it is a regular file that isn't compressed: only then `readAt` and `seek` may be called. */
  get isSeekable(): boolean {
    return this.compression === undefined && this.#source.totalBytes !== undefined
  }

  /** The content at a position, fewer bytes where it ends before; what is read next stays the same. */
  async readAt(position: number, length: number): Promise<Buffer> {
    return this.#source.readAt(position, length)
  }

  /** Goes on at a position of the content, by `read` alone. */
  seek(position: number): void {
    this.#ahead.length = 0
    this.#source.seek(position)
  }

  /** Bytes read of the file itself, compressed as it is, and its size when it was opened (undefined for a pipe). */
  progress(): { readonly readBytes: number; readonly totalBytes: number | undefined } {
    return { readBytes: this.#source.readBytes, totalBytes: this.#source.totalBytes }
  }

  /** Lets go of the file; reading the content to its end does the same. */
  async close(): Promise<void> {
    await this.#content.return()
    this.#source.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

async function startInput(source: Source): Promise<Input> {
  try {
    const head = await source.peek(4)
    refuseOtherArchives(head, source.name)
    return new Input(source, recogniseCompression(head))
  } catch (error) {
    source.close()
    throw error
  }
}

/** Throws at the first block of a tar archive, which names its first file, and would be read as a record. */
async function* refuseTar(
  content: AsyncIterable<Buffer>,
  name: string,
  compression: Compression | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of content) {
    const known: Buffer = head === undefined ? chunk : Buffer.concat([head, chunk])
    if (head !== undefined && known.length < TAR_BLOCK_BYTES) head = known
    else {
      if (head !== undefined && known.toString('latin1', 257, 262) === 'ustar') throw toTarError(name, compression)
      head = undefined
      yield known
    }
  }
  if (head !== undefined && head.length > 0) yield head
}

function toTarError(name: string, compression: Compression | undefined): CommandError {
  const options = { gzip: '-xzO', zstd: '--zstd -xO', none: '-xO' }[compression ?? 'none']
  const command = `tar ${options}${name === 'standard input' ? '' : `f ${name}`} | answerlake import … -`
  return new ForeignContentError(`${name}: a tar archive is not read. Unpack it first, for example: ${command}`)
}

const TAR_BLOCK_BYTES = 512

async function* readAll(source: Source): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = await source.next(); chunk !== undefined; chunk = await source.next()) yield chunk
}
