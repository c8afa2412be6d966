import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type LastPlaces, openLastPlaces } from '../lake/write/last-places.ts'
import type { PlacedRecord } from './answer-reader.ts'

/**
 * The records of a call in a file, until the last one is read: only then is it known which of several with one id counts.
 * Input may be a pipe, which can't be read twice.
 */
export interface RecordSpool extends AsyncDisposable {
  add(placed: PlacedRecord): Promise<void> | undefined
  /** Gives the records in their order; `isLast` says that no later one has the same id. Once, after the last `add`. */
  read(): AsyncGenerator<SpooledRecord>
}

export interface SpooledRecord {
  readonly placed: PlacedRecord
  readonly isLast: boolean
  /** Part of the file that is read, and the whole. */
  readonly readBytes: number
  readonly totalBytes: number
}

/** Characters that are written at a time. */
const BLOCK_CHARACTERS = 1_048_576

/** Opens a spool in a directory that is there for what doesn't fit in memory. */
export async function openRecordSpool(spillDir: string): Promise<RecordSpool> {
  const places = await openLastPlaces(spillDir)
  try {
    return new FileSpool(places, await open(join(spillDir, 'records.ndjson'), 'wx+', 0o600))
  } catch (error) {
    places[Symbol.dispose]()
    throw error
  }
}

class FileSpool implements RecordSpool {
  readonly #places: LastPlaces
  readonly #file: FileHandle
  readonly #blocks: number[] = []
  #waiting = ''

  constructor(places: LastPlaces, file: FileHandle) {
    this.#places = places
    this.#file = file
  }

  add(placed: PlacedRecord): Promise<void> | undefined {
    this.#places.add(placed.id)
    this.#waiting += `${JSON.stringify(placed)}\n`
    return this.#waiting.length < BLOCK_CHARACTERS ? undefined : this.#write()
  }

  async #write(): Promise<void> {
    const block = Buffer.from(this.#waiting)
    this.#waiting = ''
    await this.#file.writeFile(block)
    this.#blocks.push(block.length)
  }

  async *read(): AsyncGenerator<SpooledRecord> {
    await this.#write()
    const isSuperseded = await this.#places.findSuperseded()
    const totalBytes = this.#blocks.reduce((sum, bytes) => sum + bytes, 0)
    let place = 0
    let readBytes = 0
    for (const bytes of this.#blocks) {
      const block = Buffer.allocUnsafe(bytes)
      const { bytesRead } = await this.#file.read(block, 0, bytes, readBytes)
      if (bytesRead < bytes) throw new Error('the spooled records are shorter than what was written')
      readBytes += bytes
      for (const line of block.toString().split('\n').slice(0, -1)) {
        yield { placed: JSON.parse(line) as PlacedRecord, isLast: !isSuperseded(place++), readBytes, totalBytes }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#places[Symbol.dispose]()
    await this.#file.close()
  }
}
