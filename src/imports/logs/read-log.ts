import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LOG_HEAD_BYTES_MAX } from '../../limits.ts'
import { type Input, openInput } from '../input.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { CountedLog, CountOptions } from './count-log.ts'
import { findStart, type LogStart, skipTo } from './find-start.ts'
import { type Log, openLog, resumeLog } from './open-log.ts'
import { startCount } from './start-count.ts'

export interface ReadLogOptions extends CountOptions {
  /** `-` for standard input. */
  readonly path: string
  readonly stdin?: Readable | undefined
  readonly checkpoints: Checkpoints
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
  /** Lines were counted of a log that begins as a known one does and is, up to none of its checkpoints, the same. */
  readonly isLikeKnown: boolean
}

/**
 * Reads a log from where an earlier import of the same content stopped (formats.md 3), and notes how far it got.
 * Throws CommandError.
 */
export async function readLog(options: ReadLogOptions): Promise<ReadLog> {
  const { checkpoints, spillDir, stdin } = options
  await using stack = new AsyncDisposableStack()
  let { path } = options
  let input = stack.use(await openInput(path, stdin ? { stdin } : {}))
  const head = await input.peek(LOG_HEAD_BYTES_MAX)
  const candidates = checkpoints.find(head)
  if (candidates.length > 0 && input.progress().totalBytes === undefined) {
    path = await spool(input, join(spillDir, 'standard-input'))
    input = stack.use(await openInput(path))
  }
  const log = await openLog(input, options.log)
  if (!log) return { alreadyImported: 0, isCutOff: false, isWaiting: true, isLikeKnown: false }
  const start = await findStart(input, log, { candidates, checkpoints, head })
  if (start.readBytes > start.bytes && !input.isSeekable) input = stack.use(await openInput(path))
  if (input.isSeekable) input.seek(start.bytes)
  else if (start.readBytes !== start.bytes) await skipTo(input, start.bytes)
  const { isWithinLine } = start.tail
  const counted = await count(input, resumeLog(log, options.log, { ...start, isWithinLine }), start, options)
  // A header alone may begin many logs.
  if (counted.bytes > start.bytes && (start.bytes > 0 || counted.records > 0)) checkpoints.add(head, counted)
  return {
    alreadyImported: start.lines,
    isCutOff: counted.isLastLeft && (options.path === '-' || canNotGrow(input)),
    isWaiting: false,
    isLikeKnown: counted.records > 0 && candidates.some(({ bytes }) => bytes > start.bytes),
  }
}

async function count(input: Input, log: Log, start: LogStart, options: ReadLogOptions): Promise<CountedLog> {
  const { readBytes, totalBytes = readBytes } = input.progress()
  // Compressed content is larger than its file.
  const counting = startCount(log, { ...start, expectedBytes: totalBytes - readBytes }, options)
  try {
    for (;;) {
      options.signal?.throwIfAborted()
      const read = await input.read(await counting.room())
      if (read === 0) break
      await counting.take(read)
      options.onProgress?.({ ...input.progress(), lines: counting.lines })
    }
    return await counting.end()
  } finally {
    await counting.close()
  }
}

function canNotGrow(input: Input): boolean {
  return input.compression !== undefined || input.progress().totalBytes === undefined
}

async function spool(input: Input, path: string): Promise<string> {
  await pipeline(input, createWriteStream(path, { mode: 0o600 }))
  return path
}
