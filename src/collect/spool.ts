import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { REPLIES_DIR } from '../domain/forgotten-replies.ts'
import { CommandError } from '../errors.ts'
import { makeDirectoryDurably, syncDirectory } from '../lake/checksums/durable-files.ts'

/**
 * Where a line goes: `main` is imported; what shadow targets said, judgements, and replies that are no answers stand in
 * directories of their own, so that importing a day's files by hand brings in what the program brings in.
 */
export type Lane = 'main' | 'shadow' | 'judgements' | 'failed'

/**
 * The raw replies of one run, a line each, in files below the data directory: `scans/DAY/RUN-1.ndjson`, `RUN-2.ndjson`, … and
 * `scans/DAY/LANE/RUN-1.ndjson`. Whole files are sealed as `.zst` and kept.
 */
export interface Spool extends AsyncDisposable {
  /**
   * Writes a line and syncs it; then calls `settle` with the file's name (below the data directory). Rejects with CommandError
   * when it can't be stored; the file then ends where it ended before.
   */
  keep(lane: Lane, line: Buffer, settle: (name: string) => Promise<void>): Promise<void>
  /** Ends the lane's file under way when it has lines; gives its name when all of them are settled. */
  turn(lane: Lane): Promise<string | undefined>
}

/** Names of a run's files that aren't sealed, in their order. */
export async function listUnsealed(dataDir: string, { day, id }: RunFiles): Promise<{ lane: Lane; name: string }[]> {
  const found: { lane: Lane; name: string }[] = []
  for (const lane of LANES) {
    const directory = toDirectory(day, lane)
    const names = await listNames(join(dataDir, directory))
    for (const name of names.filter((each) => each.startsWith(`${id}-`))) {
      if (name.endsWith('.ndjson')) found.push({ lane, name: join(directory, name) })
      // Left by a death in the midst of sealing; the plain file is still there.
      else if (name.endsWith('.tmp')) await rm(join(dataDir, directory, name), { force: true })
    }
  }
  return found
}

/** Sealed files of a run's answers that are in reports, in their order. */
export async function listSealed(dataDir: string, { day, id }: RunFiles): Promise<string[]> {
  const directory = toDirectory(day, 'main')
  const names = await listNames(join(dataDir, directory))
  return names
    .filter((name) => name.startsWith(`${id}-`) && name.endsWith('.ndjson.zst'))
    .map((name) => join(directory, name))
}

/** What is in a directory, files of a run in their order; nothing where it isn't there. Throws CommandError for any other reason. */
export async function listNames(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory)
    return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    // Taken for empty, it would hide replies that were paid for.
    throw new CommandError(`${directory} can't be read (${reason}). Correct that and repeat the command.`, {
      cause: error,
    })
  }
}

/** Takes off what a death left of a line that wasn't finished. */
export async function cutTornLine(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const block = Buffer.alloc(TAIL_BYTES)
    for (let end = size; end > 0;) {
      const start = Math.max(0, end - TAIL_BYTES)
      const { bytesRead } = await file.read(block, 0, end - start, start)
      const at = block.subarray(0, bytesRead).lastIndexOf(LF)
      if (at !== -1 || start === 0) {
        const whole = at === -1 ? 0 : start + at + 1
        if (whole < size) await file.truncate(whole)
        break
      }
      end = start
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Compresses a whole file to `NAME.zst`, which stands there complete before the plain one goes. A longer one that is there
 * already stays: the plain one is of a backup then, taken while its run went on.
 */
export async function seal(dataDir: string, name: string): Promise<void> {
  const path = join(dataDir, name)
  const partial = `${path}.zst.tmp`
  if ((await measureSealed(`${path}.zst`)) <= (await stat(path)).size) {
    const target = createWriteStream(partial, { mode: 0o600, flush: true })
    await pipeline(createReadStream(path), createZstdCompress(), target)
    await rename(partial, `${path}.zst`)
    await syncDirectory(dirname(path))
  }
  await rm(path)
}

/** Bytes of what a sealed file holds; 0 where there is none that can be read. */
async function measureSealed(path: string): Promise<number> {
  let bytes = 0
  try {
    await pipeline(createReadStream(path), createZstdDecompress(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) bytes += chunk.length
    })
  } catch {
    return 0
  }
  return bytes
}

/**
 * Writes and removes a file where the run's replies will stand, so that nothing is bought that can't be kept. Rejects with
 * CommandError.
 */
export async function proveRoom(dataDir: string, { id, day }: RunFiles): Promise<void> {
  const directory = join(dataDir, toDirectory(day, 'main'))
  const path = join(directory, `${id}-room.tmp`)
  try {
    await makeDirectoryDurably(directory)
    await writeFile(path, Buffer.alloc(ROOM_BYTES), { mode: 0o600, flush: true })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(
      `${directory} can't be written (${reason}), so nothing was asked. Free disk space or check the directory's permissions.`,
      { cause },
    )
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

/** Of a few answers. */
const ROOM_BYTES = 1 << 20

/** Opens the spool of a run. Files are made with their first lines. */
export function openSpool(dataDir: string, run: RunFiles): Spool {
  const lanes = new Map<Lane, SpoolFile>()
  const numbers = new Map<Lane, number>()
  return {
    async keep(lane, line, settle) {
      let file = lanes.get(lane)
      if (!file) {
        const number = (numbers.get(lane) ?? 0) + 1
        numbers.set(lane, number)
        file = new SpoolFile(dataDir, join(toDirectory(run.day, lane), `${run.id}-${number}.ndjson`))
        lanes.set(lane, file)
      }
      await file.keep(line, settle)
    },
    async turn(lane) {
      const file = lanes.get(lane)
      lanes.delete(lane)
      await file?.end()
      return file?.isEmpty === false ? file.name : undefined
    },
    async [Symbol.asyncDispose]() {
      for (const file of lanes.values()) await file.end()
    },
  }
}

export interface RunFiles {
  readonly id: string
  readonly day: string
}

export const LANES: readonly Lane[] = ['main', 'shadow', 'judgements', 'failed']
const LF = 0x0a
const TAIL_BYTES = 65_536

/** Below the data directory. */
export function toDirectory(day: string, lane: Lane): string {
  return lane === 'main' ? join(REPLIES_DIR, day) : join(REPLIES_DIR, day, lane)
}

interface Waiting {
  readonly line: Buffer
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** One file. Lines that wait for the disk at the same time are written and synced together. */
class SpoolFile {
  readonly name: string
  readonly #path: string
  #file: FileHandle | undefined
  #bytes = 0
  #waiting: Waiting[] = []
  #isWriting = false
  readonly #unsettled = new Set<Promise<void>>()

  constructor(dataDir: string, name: string) {
    this.name = name
    this.#path = join(dataDir, name)
  }

  get isEmpty(): boolean {
    return this.#bytes === 0
  }

  async keep(line: Buffer, settle: (name: string) => Promise<void>): Promise<void> {
    const done = this.#add(line).then(() => settle(this.name))
    this.#unsettled.add(done)
    await done.finally(() => this.#unsettled.delete(done))
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#unsettled)
    await this.#file?.close()
    this.#file = undefined
  }

  #add(line: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ line, resolve, reject })
    if (!this.#isWriting) void this.#write()
    return promise
  }

  /** Writes until none waits; what goes wrong goes to those whose lines they are. */
  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const taken = this.#waiting
      this.#waiting = []
      try {
        const file = (this.#file ??= await this.#open())
        const bytes = Buffer.concat(taken.map(({ line }) => line))
        await file.appendFile(bytes)
        await file.datasync()
        this.#bytes += bytes.length
        for (const { resolve } of taken) resolve()
      } catch (error) {
        const failure = this.#toFailure(error)
        // What is there of these lines must not stand before the next one.
        await this.#file?.truncate(this.#bytes).catch(() => {})
        for (const { reject } of taken) reject(failure)
      }
    }
    this.#isWriting = false
  }

  async #open(): Promise<FileHandle> {
    const directory = dirname(this.#path)
    await makeDirectoryDurably(directory)
    const file = await open(this.#path, 'ax', 0o600)
    await syncDirectory(directory)
    return file
  }

  #toFailure(error: unknown): CommandError {
    const reason = error instanceof Error ? error.message : String(error)
    return new CommandError(
      `${this.#path} can't be written (${reason}). Free disk space or check the directory's permissions; what was asked last may have been paid for and lost.`,
      { cause: error },
    )
  }
}
