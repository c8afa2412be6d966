import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { REPLIES_DIR } from '../domain/forgotten-replies.ts'
import { syncDirectory, toPartialPath } from '../lake/checksums/durable-files.ts'
import { LANES, type Lane, listNames, toDirectory } from './spool.ts'

/** A file of raw replies. */
export interface ReplyFile {
  /** Relative to the data directory. */
  readonly name: string
  /** The UTC day that the run's calls are of. */
  readonly day: string
  readonly lane: Lane
  readonly runId: string
  /** `open`: its run, if alive, may still write or seal it; `left`: what a death left of writing one. */
  readonly state: 'sealed' | 'open' | 'left'
}

/** All files of raw replies, day by day, lane by lane, in the order in which they were written. What else lies there isn't listed. */
export async function listReplyFiles(dataDir: string): Promise<ReplyFile[]> {
  const days = (await listNames(join(dataDir, REPLIES_DIR))).filter((name) => DAY.test(name)).sort()
  const files: ReplyFile[] = []
  for (const day of days) {
    for (const lane of LANES) {
      const directory = toDirectory(day, lane)
      for (const name of await listNames(join(dataDir, directory))) {
        const [, runId, end] = FILE.exec(name) ?? []
        if (runId === undefined) continue
        const state = end === '.zst' ? 'sealed' : end === undefined ? 'open' : 'left'
        files.push({ name: join(directory, name), day, lane, runId, state })
      }
    }
  }
  return files
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** `RUN-1.ndjson`, the same sealed, and either with an end that says that it isn't whole. */
const FILE = /^(.+)-\d+\.ndjson(\.zst|(?:\.zst)?(?:\.[0-9a-z]+)?\.tmp)?$/

/** How many files of raw replies there are, and their bytes. */
export async function measureReplies(dataDir: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const sizes = await Promise.all(
    (await listReplyFiles(dataDir)).map(({ name }) =>
      stat(join(dataDir, name)).then(
        ({ size }) => size,
        // Sealed or forgotten meanwhile.
        () => 0,
      ),
    ),
  )
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** The run whose replies a file of this name holds; undefined for any other file. */
export function findRunOf(name: string): string | undefined {
  return FILE.exec(name.split(/[\\/]/).at(-1) ?? '')?.[1]
}

/** The whole lines of a file, each with its line feed. */
export async function* readReplyLines(dataDir: string, { name, state }: ReplyFile): AsyncGenerator<Buffer> {
  const bytes = createReadStream(join(dataDir, name))
  const chunks = state === 'sealed' ? bytes.compose(createZstdDecompress()) : bytes
  const parts: Buffer[] = []
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      yield Buffer.concat([...parts.splice(0), chunk.subarray(from, at + 1)])
      from = at + 1
    }
    if (from < chunk.length) parts.push(chunk.subarray(from))
  }
}

const LF = 0x0a

/**
 * Writes a file anew without the lines with these numbers, from 0, and has `place` give it its name when it is on the disk.
 * When that doesn't, or throws, the file stays as it was. Gives what `place` gave.
 */
export async function writeWithout(
  dataDir: string,
  file: ReplyFile,
  gone: ReadonlySet<number>,
  place: (partial: string, path: string) => boolean,
): Promise<boolean> {
  const path = join(dataDir, file.name)
  const partial = toPartialPath(path)
  try {
    const lines = listKept(dataDir, file, gone)
    const written = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
    await (file.state === 'sealed' ? pipeline(lines, createZstdCompress(), written) : pipeline(lines, written))
    if (!place(partial, path)) return false
    await syncDirectory(dirname(path))
    return true
  } finally {
    await rm(partial, { force: true })
  }
}

async function* listKept(dataDir: string, file: ReplyFile, gone: ReadonlySet<number>): AsyncGenerator<Buffer> {
  let number = 0
  for await (const line of readReplyLines(dataDir, file)) if (!gone.has(number++)) yield line
}
