import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { CommandError } from '../errors.ts'
import { INFLATED_CHUNK_BYTES } from '../limits.ts'

export type Compression = 'gzip' | 'zstd'

/** Tells gzip and zstd by the first four bytes of a file; undefined for anything else, which is read as it is. */
export function recogniseCompression(head: Buffer): Compression | undefined {
  if (head.length >= 2 && head.readUInt16BE() === 0x1f8b) return 'gzip'
  if (head.length < 4) return undefined
  const magic = head.readUInt32LE()
  const isSkippableFrame = magic >= 0x184d2a50 && magic <= 0x184d2a5f
  return magic === 0xfd2fb528 || isSkippableFrame ? 'zstd' : undefined
}

/**
 * The decompressed content of a file, whatever its number of gzip members or zstd frames. Throws `CommandError` when the
 * data is cut off, damaged, or followed by something else; `name` is the file's in the message.
 */
export async function* unpack(
  packed: AsyncGenerator<Buffer, void, undefined>,
  compression: Compression,
  name: string,
): AsyncGenerator<Buffer, void, undefined> {
  const engine = compression === 'gzip' ? createGunzip(OPTIONS) : createZstdDecompress(OPTIONS)
  let fedBytes = 0
  let last: Buffer = Buffer.alloc(0)
  async function* feed(): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of packed) {
      fedBytes += chunk.length
      last = chunk
      yield chunk
    }
  }
  // A failure reaches the engine's reader.
  pipeline(feed, engine).catch(() => undefined)
  try {
    for await (const chunk of engine.iterator({ destroyOnReturn: false })) yield toBuffer(chunk)
    // Where something follows that is neither a member nor a frame, the engine stops without an error.
    const left = last.subarray(last.length - (fedBytes - engine.bytesWritten))
    for (let chunk: Buffer | undefined | void = left; chunk; chunk = (await packed.next()).value) {
      // gzip itself takes zero bytes after the last member as padding; zstd knows no padding.
      if (compression === 'gzip' ? chunk.every((byte) => byte === 0) : chunk.length === 0) continue
      throw new CommandError(`${name}: the ${compression} data is followed by something else. ${ADVICE}`)
    }
  } catch (error) {
    throw toDataError(name, compression, error)
  } finally {
    engine.destroy()
  }
}

const OPTIONS = {
  chunkSize: INFLATED_CHUNK_BYTES,
  // Room for a second chunk: the thread pool inflates it while the first one is being parsed.
  readableHighWaterMark: 2 * INFLATED_CHUNK_BYTES,
  // Makes every write wait until the one before was taken, so that only the last one can be left over.
  writableHighWaterMark: 1,
}

const ADVICE = 'Get the file from its origin again; nothing of it was imported.'

function toBuffer(chunk: unknown): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  throw new Error('zlib returned something that is no Buffer')
}

function toDataError(name: string, compression: Compression, error: unknown): CommandError {
  if (error instanceof CommandError) return error
  const isCutOff = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
  const fault = isCutOff ? `the ${compression} data ends too early` : `the ${compression} data is damaged`
  return new CommandError(`${name}: ${fault}. ${ADVICE}`, { cause: error })
}
