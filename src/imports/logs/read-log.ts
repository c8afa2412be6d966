import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from '../../errors.ts'
import { LOG_HEAD_BYTES_MAX, READ_CHUNK_BYTES } from '../../limits.ts'
import { type Input, openInput } from '../input.ts'
import { NOTHING } from '../lines.ts'
import type { CountedLog, CountOptions } from './count-log.ts'
import type { KnownLogs, KnownPrefix } from './known-logs.ts'
import { type Log, openLog } from './open-log.ts'
import { isStateful, startCount } from './start-count.ts'

export interface ReadLogOptions extends CountOptions {
  /** `-` for standard input. */
  readonly path: string
  readonly stdin?: Readable | undefined
  readonly known: KnownLogs
  /** A directory for what can't be read a second time. */
  readonly spillDir: string
}

/** What messages call the file. */
export function toLogName(path: string): string {
  return path === '-' ? 'standard input' : path
}

export interface ReadLog {
  /** Lines that were counted before. */
  readonly alreadyImported: number
  /** A last line without its end was left out, and no more can come to it: compressed files and pipes are closed. */
  readonly isCutOff: boolean
  /** Nothing was read: there is too little yet to tell the format. */
  readonly isWaiting: boolean
  /** Lines were counted of a log that begins as a known one does and is, up to no known end of it, the same. */
  readonly isLikeKnown: boolean
}

/**
 * Reads a log from where an earlier import of the same content stopped (formats.md 3), and notes how far it got.
 * Throws CommandError.
 */
export async function readLog(options: ReadLogOptions): Promise<ReadLog> {
  const { known, spillDir } = options
  let path = options.path
  /** What a reading has proved of the content's beginning. */
  let proved: { readonly prefix: KnownPrefix | undefined } | undefined
  for (;;) {
    await using input = await openInput(path, options.stdin ? { stdin: options.stdin } : {})
    const head = await input.peek(LOG_HEAD_BYTES_MAX)
    const alike = known.findCandidates(head)
    const candidates = proved ? toList(proved.prefix) : alike.filter(mayHold(input))
    if (candidates.length > 0 && input.progress().totalBytes === undefined) {
      path = await spool(input, join(spillDir, 'standard-input'))
      continue
    }
    const log = await openLog(input, options.log)
    if (!log) return { alreadyImported: 0, isCutOff: false, isWaiting: true, isLikeKnown: false }
    const skipped = await skipKnown(input, log, candidates)
    if (skipped.isProved) {
      const { prefix } = skipped
      const counted = await count(input, log, skipped, options)
      // A header alone may begin many logs.
      if (counted.bytes > (prefix?.bytes ?? 0) && (prefix || counted.records > 0)) known.advance(head, counted)
      return {
        alreadyImported: prefix?.lines ?? 0,
        isCutOff: counted.isLastLeft && (options.path === '-' || canNotGrow(input)),
        isWaiting: false,
        isLikeKnown: counted.records > 0 && alike.some(({ bytes }) => bytes > (prefix?.bytes ?? 0)),
      }
    }
    if (proved) {
      throw new CommandError(
        `${toLogName(options.path)}: changed while it was read. Nothing was imported; import it again.`,
      )
    }
    proved = { prefix: skipped.prefix }
  }
}

interface Skipped {
  /** The beginning of the content that is known. */
  readonly prefix: KnownPrefix | undefined
  /** False when reading has gone past the prefix, for a longer one that didn't hold: the content has to be read anew. */
  readonly isProved: boolean
  /** Of the content up to there. */
  readonly hash: Hash
  readonly isWithinLine: boolean
  /** What was read behind it; the input goes on from there. */
  readonly rest: Buffer
}

/** Reads up to the end of the longest candidate; the lines up to there only move the reader's state on. */
async function skipKnown(input: Input, log: Log, candidates: readonly KnownPrefix[]): Promise<Skipped> {
  const hash = createHash('sha256')
  const visitor = isStateful(log) ? toStateVisitor(log) : NOTHING
  const end = candidates[0]?.bytes ?? 0
  let prefix: KnownPrefix | undefined
  let bytes = 0
  let isWithinLine = false
  const chunk = Buffer.allocUnsafeSlow(end > 0 ? READ_CHUNK_BYTES : 0)
  let rest: Buffer = chunk.subarray(0, 0)
  while (bytes < end) {
    if (rest.length === 0) rest = chunk.subarray(0, await input.read(chunk))
    if (rest.length === 0) break
    const cut = Math.min(...candidates.filter((one) => one.bytes > bytes).map((one) => one.bytes))
    const part = rest.subarray(0, cut - bytes)
    rest = rest.subarray(part.length)
    hash.update(part)
    log.splitter.push(part, visitor)
    bytes += part.length
    isWithinLine = part.at(-1) !== NEWLINE
    if (bytes === cut) prefix = candidates.find((one) => one.bytes === cut && one.sha256 === digest(hash)) ?? prefix
  }
  return { prefix, isProved: bytes === (prefix?.bytes ?? 0), hash, isWithinLine, rest }
}

async function count(input: Input, log: Log, skipped: Skipped, options: ReadLogOptions): Promise<CountedLog> {
  const { prefix, hash, isWithinLine } = skipped
  const { readBytes, totalBytes = readBytes } = input.progress()
  const { bytes = 0, lines = 0 } = prefix ?? {}
  // Compressed content is larger than its file.
  const expectedBytes = totalBytes - readBytes
  const counting = startCount(log, { bytes, lines, hash, isWithinLine, expectedBytes }, options)
  try {
    for (let { rest } = skipped; ;) {
      options.signal?.throwIfAborted()
      const room = await counting.room()
      const readNow = rest.length > 0 ? rest.copy(room) : await input.read(room)
      if (readNow === 0) break
      rest = rest.subarray(readNow)
      await counting.take(readNow)
      options.onProgress?.({ ...input.progress(), lines: counting.lines })
    }
    return await counting.end()
  } finally {
    await counting.close()
  }
}

/** Lets the reader see headers and request ids. */
function toStateVisitor({ reader }: Log) {
  return {
    line: (text: string, start: number, end: number) => void reader.parse(text, start, end),
    fault: () => undefined,
  }
}

const NEWLINE = 0x0a

/** A plain file can't begin with what is longer than itself. */
function mayHold(input: Input): (prefix: KnownPrefix) => boolean {
  const { totalBytes = Number.POSITIVE_INFINITY } = input.progress()
  return ({ bytes }) => input.compression !== undefined || bytes <= totalBytes
}

function canNotGrow(input: Input): boolean {
  return input.compression !== undefined || input.progress().totalBytes === undefined
}

async function spool(input: Input, path: string): Promise<string> {
  await pipeline(input, createWriteStream(path, { mode: 0o600 }))
  return path
}

function toList<T>(item: T | undefined): readonly T[] {
  return item === undefined ? [] : [item]
}

function digest(hash: Hash): string {
  return hash.copy().digest('hex')
}
