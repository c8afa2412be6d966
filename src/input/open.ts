import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { CommandError } from '../errors.ts'
import { READ_CHUNK_BYTES } from '../limits.ts'
import { type Compression, recogniseCompression, unpack } from './unpack.ts'

export interface InputOptions {
  /** What `-` reads; the process's standard input unless another stream is given. */
  readonly stdin?: Readable
  /** What messages call the file where the path is a copy of this program's own. */
  readonly name?: string
}

/**
 * Opens a file to import, or standard input for `-`; whoever opens it closes it. gzip and zstd are recognised by their
 * first bytes, whatever the file is called, with any number of members or frames (contract/imports 2.7, contract/logs 1.1).
 *
 * Throws `CommandError`, here or while the content is read, when the file is missing, a directory, unreadable,
 * truncated or corrupt; the message names the file and says what to do.
 */
export async function openInput(path: string, options: InputOptions = {}): Promise<Input> {
  const bytes =
    path === '-' ? new Bytes('standard input', options.stdin ?? process.stdin) : await openFile(path, options.name)
  try {
    const head = await bytes.peek(MAGIC_BYTES)
    refuseOtherArchives(head, bytes.name)
    return new Input(bytes, recogniseCompression(head))
  } catch (error) {
    await bytes.close()
    throw error
  }
}

/** A file holds something else than what is imported. */
export class ForeignContentError extends CommandError {}

/** Why a file that was named as input can't be opened or read, in words that name it and say what to do. */
export function toOpenError(path: string, error: unknown): CommandError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new CommandError(`${path}: there is no such file. Check the path; - reads standard input.`)
    case 'EISDIR':
      return new CommandError(`${path}: is a directory. Name a file in it.`)
    case 'EACCES':
    case 'EPERM':
      return new CommandError(`${path}: no permission to read it. Give this user read access, or run as its owner.`)
    case 'EMFILE':
    case 'ENFILE':
      return new CommandError(`${path}: too many files are open. Raise the limit (ulimit -n) or import fewer at once.`)
    default:
      return new CommandError(`${path}: can't be opened (${toMessage(error)}).`, { cause: error })
  }
}

/** The decompressed content of one file, to be read once, in memory that does not grow with it. */
export class Input implements AsyncIterable<Buffer> {
  /** What messages call it: the path as given, or `standard input`. */
  readonly name: string
  readonly compression: Compression | undefined
  readonly #bytes: Bytes
  readonly #content: AsyncGenerator<Buffer, void, undefined>
  readonly #ahead: Buffer[] = []

  constructor(bytes: Bytes, compression: Compression | undefined) {
    this.name = bytes.name
    this.compression = compression
    this.#bytes = bytes
    this.#content = compression === undefined ? bytes.read() : unpack(bytes.read(), compression, bytes.name)
  }

  /** The first `bytes` of the content, fewer when it is shorter; reading it afterwards still starts at the first byte. */
  async peek(bytes: number): Promise<Buffer> {
    const head = await hold(this.#ahead, this.#content, Math.max(bytes, TAR_BLOCK_BYTES))
    // The first block of a tar archive names its first file, and would be read as a record.
    if (head.toString('latin1', 257, 262) === 'ustar') throw toTarError(this.name, this.compression)
    return head.subarray(0, bytes)
  }

  /** The content in chunks of any size, at most half a megabyte; the file is closed at the end or when the loop is left. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      await this.peek(0)
      yield* this.#ahead.splice(0)
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
    if (this.#ahead.length === 0 && this.isSeekable) {
      const bytes = await this.#bytes.readAt(target, this.#bytes.readBytes)
      this.#bytes.readBytes += bytes
      return bytes
    }
    const chunk = await take(this.#ahead, this.#content)
    const bytes = chunk?.copy(target) ?? 0
    if (chunk && bytes < chunk.length) this.#ahead.unshift(chunk.subarray(bytes))
    return bytes
  }

  /** Whether it is a regular file that isn't compressed: only then `readAt` and `seek` may be called. */
  get isSeekable(): boolean {
    return this.compression === undefined && this.#bytes.size !== undefined
  }

  /** The content at a position, fewer bytes where it ends before; what is read next stays the same. */
  async readAt(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, await this.#bytes.readAt(bytes, position))
  }

  /** Goes on at a position of the content, by `read` alone. */
  seek(position: number): void {
    this.#ahead.length = 0
    this.#bytes.readBytes = position
  }

  /** Bytes read of the file itself, compressed as it is, and its size when it was opened (undefined for a pipe). */
  progress(): { readonly readBytes: number; readonly totalBytes: number | undefined } {
    return { readBytes: this.#bytes.readBytes, totalBytes: this.#bytes.size }
  }

  /** Lets go of the file; reading the content to its end does the same. */
  async close(): Promise<void> {
    await this.#content.return()
    await this.#bytes.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

async function openFile(path: string, name = path): Promise<Bytes> {
  const file = await open(path).catch((error: unknown) => {
    throw toOpenError(path, error)
  })
  const stats = await file.stat().catch(async (error: unknown) => {
    await file.close()
    throw toOpenError(path, error)
  })
  if (stats.isFile()) return new Bytes(name, { file, size: stats.size })
  if (!stats.isDirectory()) return new Bytes(name, file.createReadStream({ highWaterMark: READ_CHUNK_BYTES }))
  await file.close()
  throw new CommandError(`${path}: is a directory. Name the files in it, for example ${path.replace(/\/+$/, '')}/*.`)
}

/** The bytes of a regular file or of a stream as they are, counted. */
class Bytes {
  readonly name: string
  /** Of a regular file, when it was opened. */
  readonly size: number | undefined
  /** Bytes that were handed on; the position of a regular file. */
  readBytes = 0
  readonly #file: FileHandle | undefined
  readonly #stream: Readable | undefined
  /** The beginning of a stream, and what follows. */
  readonly #head: Buffer[] = []
  readonly #chunks: AsyncIterator<Buffer> | undefined

  constructor(name: string, origin: Readable | { readonly file: FileHandle; readonly size: number }) {
    this.name = name
    if ('file' in origin) {
      this.#file = origin.file
      this.size = origin.size
    } else {
      this.#stream = origin
      this.#chunks = origin[Symbol.asyncIterator]()
    }
  }

  /** At least the first `bytes`, unless there are fewer; `read` starts with them all the same. */
  async peek(bytes: number): Promise<Buffer> {
    if (this.#chunks) return this.#orFail(hold(this.#head, this.#chunks, bytes))
    const head = Buffer.alloc(bytes)
    return head.subarray(0, await this.readAt(head, 0))
  }

  async *read(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const chunk = this.#chunks ? await this.#orFail(take(this.#head, this.#chunks)) : await this.#readChunk()
      if (chunk === undefined || chunk.length === 0) return
      this.readBytes += chunk.length
      yield chunk
    }
  }

  async #readChunk(): Promise<Buffer> {
    // Memory of its own: chunks are kept.
    const chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
    return chunk.subarray(0, await this.readAt(chunk, this.readBytes))
  }

  /** Fills the beginning of `target` from a position of a regular file and gives the number of bytes, 0 at the end. */
  async readAt(target: Uint8Array, position: number): Promise<number> {
    if (!this.#file) throw new Error('only a regular file is read anywhere')
    return (await this.#orFail(this.#file.read(target, 0, target.length, position))).bytesRead
  }

  async close(): Promise<void> {
    this.#stream?.destroy()
    await this.#file?.close()
  }

  async #orFail<T>(reading: Promise<T>): Promise<T> {
    try {
      return await reading
    } catch (error) {
      const message = `${this.name}: reading failed (${toMessage(error)}). Check the disk, then import it again.`
      throw new CommandError(message, { cause: error })
    }
  }
}

/** The next chunk, of those ahead first; undefined at the end. */
async function take(ahead: Buffer[], chunks: AsyncIterator<Buffer, unknown>): Promise<Buffer | undefined> {
  const chunk = ahead.shift()
  if (chunk) return chunk
  const next = await chunks.next()
  return next.done === true ? undefined : next.value
}

/** Takes chunks ahead until they hold `bytes`, which are returned, or there are no more. */
async function hold(ahead: Buffer[], chunks: AsyncIterator<Buffer, unknown>, bytes: number): Promise<Buffer> {
  let held = ahead.reduce((sum, chunk) => sum + chunk.length, 0)
  while (held < bytes) {
    const chunk = await take([], chunks)
    if (chunk === undefined) break
    ahead.push(chunk)
    held += chunk.length
  }
  return Buffer.concat(ahead).subarray(0, bytes)
}

const MAGIC_BYTES = 4

const OTHER_ARCHIVES = [
  { name: 'bzip2', magic: Buffer.from('BZh'), command: 'bzip2 -dc' },
  { name: 'xz', magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58]), command: 'xz -dc' },
  { name: 'zip', magic: Buffer.from('PK\x03\x04'), command: 'unzip -p' },
]

/** Refuses what is packed in a way that Node can't unpack. */
function refuseOtherArchives(head: Buffer, name: string): void {
  const archive = OTHER_ARCHIVES.find(({ magic }) => head.subarray(0, magic.length).equals(magic))
  if (archive === undefined) return
  const command = `${archive.command} ${name} | answerlake import … -`
  throw new ForeignContentError(`${name}: ${archive.name} is not read. Unpack it first, for example: ${command}`)
}

const TAR_BLOCK_BYTES = 512

function toTarError(name: string, compression: Compression | undefined): CommandError {
  const options = { gzip: '-xzO', zstd: '--zstd -xO', none: '-xO' }[compression ?? 'none']
  const command = `tar ${options}${name === 'standard input' ? '' : `f ${name}`} | answerlake import … -`
  return new ForeignContentError(`${name}: a tar archive is not read. Unpack it first, for example: ${command}`)
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
