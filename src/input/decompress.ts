import { ForeignContentError } from './open-error.ts'
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib'
import { CommandError } from '../errors.ts'
import { INFLATED_CHUNK_BYTES } from '../limits.ts'
import type { Source } from './source.ts'

export type Compression = 'gzip' | 'zstd'

/** Tells gzip and zstd by the first four bytes of a file; undefined for anything else, which is read as it is. */
export function recogniseCompression(head: Buffer): Compression | undefined {
  if (head.length >= 2 && head.readUInt16BE() === 0x1f8b) return 'gzip'
  if (head.length < 4) return undefined
  const magic = head.readUInt32LE()
  const isSkippableFrame = magic >= 0x184d2a50 && magic <= 0x184d2a5f
  return magic === 0xfd2fb528 || isSkippableFrame ? 'zstd' : undefined
}

/** Refuses what is packed in a way that Node can't unpack. */
export function refuseOtherArchives(head: Buffer, name: string): void {
  const archive = OTHER_ARCHIVES.find(({ magic }) => head.subarray(0, magic.length).equals(magic))
  if (archive === undefined) return
  const command = `${archive.command} ${name} | answerlake import … -`
  throw new ForeignContentError(`${name}: ${archive.name} is not read. Unpack it first, for example: ${command}`)
}

const OTHER_ARCHIVES = [
  { name: 'bzip2', magic: Buffer.from('BZh'), command: 'bzip2 -dc' },
  { name: 'xz', magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58]), command: 'xz -dc' },
  { name: 'zip', magic: Buffer.from('PK\x03\x04'), command: 'unzip -p' },
]

/**
 * The decompressed content of a source, whatever its number of gzip members or zstd frames.
 * Throws `CommandError` when the data is cut off, damaged, or followed by something else.
 */
export async function* decompress(source: Source, compression: Compression): AsyncGenerator<Buffer, void, undefined> {
  const engine = openEngine(compression)
  const fed = feed(source, engine)
  try {
    for await (const chunk of engine) yield toBuffer(chunk)
    if (!(await isPadding(compression, await fed, source))) {
      throw new CommandError(`${source.name}: the ${compression} data is followed by something else. ${ADVICE}`)
    }
  } catch (error) {
    throw toDataError(source.name, compression, error)
  } finally {
    engine.destroy()
  }
}

type Engine = Gunzip | ZstdDecompress

const ADVICE = 'Get the file from its origin again; nothing of it was imported.'

function openEngine(compression: Compression): Engine {
  const options = {
    chunkSize: INFLATED_CHUNK_BYTES,
    // Room for a second chunk: the thread pool inflates it while the first one is being parsed.
    readableHighWaterMark: 2 * INFLATED_CHUNK_BYTES,
    // Makes every write wait until the one before was taken, so that only the last one can be left over.
    writableHighWaterMark: 1,
  }
  return compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options)
}

/**
 * Hands the source to the engine. Where something follows that is neither a member nor a frame, the engine stops
 * without an error: returns the bytes taken from the source that the engine left. Failures reach the engine's reader.
 */
async function feed(source: Source, engine: Engine): Promise<Buffer> {
  let fedBytes = 0
  let last: Buffer = Buffer.alloc(0)
  try {
    for (let chunk = await source.next(); chunk !== undefined; chunk = await source.next()) {
      if (hasStopped(engine)) return Buffer.concat([left(), chunk])
      fedBytes += chunk.length
      last = chunk
      engine.write(chunk)
      await isTaken(engine)
    }
    engine.end()
  } catch (error) {
    engine.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  return left()

  function left(): Buffer {
    return last.subarray(last.length - (fedBytes - engine.bytesWritten))
  }
}

function hasStopped(engine: Engine): boolean {
  return engine.readableEnded || engine.destroyed
}

function isTaken(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'end', 'close'] as const
    const done = (): void => {
      for (const event of events) engine.off(event, done)
      resolve()
    }
    if (hasStopped(engine) || !engine.writableNeedDrain) resolve()
    else for (const event of events) engine.on(event, done)
  })
}

/** gzip itself takes zero bytes after the last member as padding; zstd knows no padding. */
async function isPadding(compression: Compression, left: Buffer, source: Source): Promise<boolean> {
  for (let chunk: Buffer | undefined = left; chunk !== undefined; chunk = await source.next()) {
    if (compression === 'gzip' ? chunk.some((byte) => byte !== 0) : chunk.length > 0) return false
  }
  return true
}

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
