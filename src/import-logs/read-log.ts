import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LOG_HEAD_BYTES_MAX } from '../log-limits.ts'
import { type Input, openInput } from '../input/open.ts'
import { writeParquetLines } from '../lake/write/parquet-lines.ts'
import type { Batch } from './batch.ts'
import type { Checkpoint, Checkpoints, Tail } from './checkpoints.ts'
import { findStart, type LogStart, skipTo } from './find-start.ts'
import { type Log, type LogOptions, openLog, resumeLog } from './open-log.ts'
import { ParallelReader } from './parallel-reader.ts'
import { SequentialReader } from './sequential-reader.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ContentOptions {
  readonly log: LogOptions
  readonly pool: WorkerPool
  readonly signal?: AbortSignal | undefined
  /** Takes what lines come to, in their order. `linesBefore` is to be added to the numbers of the batch's lines. */
  onBatch(batch: Batch, linesBefore: number): Promise<void>
  onProgress?(progress: { readBytes: number; totalBytes: number | undefined; lines: number }): void
}

/** Where in a log reading starts. */
export interface ContentStart {
  /** Bytes of the content before, and the lines in them. */
  readonly bytes: number
  readonly lines: number
  /** Of these bytes. Where it ends within a line, that line has been counted. */
  readonly tail: Tail
  /** At least so much more content is to be expected. */
  readonly expectedBytes: number
}

/** How far a log was read. */
export interface ContentEnd extends Checkpoint {
  /** Lines that are no blank line, comment or header, of those read now. */
  readonly records: number
  /** A last line without its end was left for later. */
  readonly isLastLeft: boolean
}

/** Reads the lines of one log. */
export interface ContentReader {
  /** Lines so far, those before the start too. */
  readonly lines: number
  /** Memory for the next bytes. */
  readonly room: Uint8Array
  /** Takes the bytes that were written to the beginning of the last `room`. */
  take(bytes: number): Promise<void>
  /** Nothing more comes. A last line without its end counts when whatever may still come of it changes nothing. */
  end(): Promise<ContentEnd>
}

export interface ReadLogOptions extends ContentOptions {
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
  /** Undefined while there is too little yet to tell it. */
  readonly format: Log['format'] | undefined
  /** Lines that were counted before. */
  readonly alreadyImported: number
  /** Of the earlier import that counted the last line, when nothing new was read. */
  readonly knownImportNo: number | null | undefined
  /** A last line without its end was left out, and no more can come to it: compressed files and pipes are closed. */
  readonly isCutOff: boolean
  /** Nothing was read: there is too little yet to tell the format. */
  readonly isWaiting: boolean
  /** Lines were counted of a log that begins as a known one does and is, up to none of its checkpoints, the same. */
  readonly isLikeKnown: boolean
}

/**
 * Reads a log from where an earlier import of the same content stopped (contract/logs 8), and notes how far it got.
 * Throws CommandError.
 */
export async function readLog(options: ReadLogOptions): Promise<ReadLog> {
  const { checkpoints, spillDir, stdin } = options
  await using stack = new AsyncDisposableStack()
  let { path } = options
  let input = stack.use(await openInput(path, stdin ? { stdin } : {}))
  const { name } = input
  if ((await input.peek(PARQUET_MAGIC.length)).toString('latin1') === PARQUET_MAGIC) {
    path = join(spillDir, 'rows.ndjson')
    await writeParquetLines(await spool(input, join(spillDir, 'rows.parquet')), path, { name, spillDir })
    input = stack.use(await openInput(path, { name }))
  }
  const head = await input.peek(LOG_HEAD_BYTES_MAX)
  const candidates = checkpoints.find(head)
  if (candidates.length > 0 && input.progress().totalBytes === undefined) {
    path = await spool(input, join(spillDir, 'standard-input'))
    input = stack.use(await openInput(path, { name }))
  }
  const log = await openLog(input, options.log)
  if (!log) return WAITING
  const start = await findStart(input, log, { candidates, checkpoints, head })
  if (start.readBytes > start.bytes && !input.isSeekable) input = stack.use(await openInput(path, { name }))
  if (input.isSeekable) input.seek(start.bytes)
  else if (start.readBytes !== start.bytes) await skipTo(input, start.bytes)
  const { isWithinLine } = start.tail
  const end = await readContent(input, resumeLog(log, options.log, { ...start, isWithinLine }), start, options)
  // A header alone may begin many logs.
  const hasMore = end.bytes > start.bytes
  if (hasMore) checkpoints.goOnFrom(start.importNo)
  if (hasMore && (start.bytes > 0 || end.records > 0)) checkpoints.add(head, end)
  return {
    format: log.format,
    alreadyImported: start.lines,
    knownImportNo: hasMore ? undefined : start.importNo,
    isCutOff: end.isLastLeft && (options.path === '-' || canNotGrow(input)),
    isWaiting: false,
    isLikeKnown: end.records > 0 && candidates.some(({ bytes }) => bytes > start.bytes),
  }
}

const WAITING: ReadLog = {
  format: undefined,
  alreadyImported: 0,
  knownImportNo: undefined,
  isCutOff: false,
  isWaiting: true,
  isLikeKnown: false,
}

async function readContent(input: Input, log: Log, start: LogStart, options: ReadLogOptions): Promise<ContentEnd> {
  const { readBytes, totalBytes = readBytes } = input.progress()
  // Compressed content is larger than its file.
  const contentStart = { ...start, expectedBytes: totalBytes - readBytes }
  const reader = new (log.isStateful ? SequentialReader : ParallelReader)(log, contentStart, options)
  for (;;) {
    options.signal?.throwIfAborted()
    const read = await input.read(reader.room)
    if (read === 0) return await reader.end()
    await reader.take(read)
    options.onProgress?.({ ...input.progress(), lines: reader.lines })
  }
}

function canNotGrow(input: Input): boolean {
  return input.compression !== undefined || input.progress().totalBytes === undefined
}

/** The first bytes of a Parquet file. */
const PARQUET_MAGIC = 'PAR1'

async function spool(input: Input, path: string): Promise<string> {
  await pipeline(input, createWriteStream(path, { mode: 0o600 }))
  return path
}
