import { createHash } from 'node:crypto'
import { READ_CHUNK_BYTES } from '../limits.ts'
import { LOG_TAIL_BYTES } from '../log-limits.ts'
import type { Input } from '../input/open.ts'
import type { Candidate, Checkpoint, Checkpoints } from './checkpoints.ts'
import { Tail } from './checkpoints.ts'
import { type Log, toState } from './open-log.ts'

/** Where the lines begin that were not counted before. */
export interface LogStart extends Omit<Checkpoint, 'tailSha256'> {
  /** Of the content up to there. */
  readonly tail: Tail
  /** Of the checkpoint there; null at the beginning too. */
  readonly importNo: number | null
  /** How far the input was read to find it: not at all, or further than the start. */
  readonly readBytes: number
}

/** The last of the candidates that holds. A file of plain text is looked at where they end; other content is read up to there. */
export async function findStart(
  input: Input,
  log: Log,
  { candidates, checkpoints, head }: { candidates: readonly Candidate[]; checkpoints: Checkpoints; head: Buffer },
): Promise<LogStart> {
  const start = input.isSeekable ? await seekStart(input, candidates) : BEGINNING
  const unknown = candidates.filter(
    ({ bytes, tailSha256 }) => bytes > start.bytes && (!input.isSeekable || tailSha256 === undefined),
  )
  return unknown.length === 0 ? start : await readToStart(input, log, { candidates: unknown, checkpoints, head, start })
}

/** Moves the input, of which `readBytes` were read, to the start; gives the content's tail there. */
export async function skipTo(input: Input, bytes: number): Promise<Tail> {
  const tail = new Tail()
  const chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
  for (let read = 0, left = bytes; left > 0; left -= read) {
    read = await input.read(chunk.subarray(0, Math.min(left, chunk.length)))
    if (read === 0) break
    tail.push(chunk.subarray(0, read))
  }
  return tail
}

const BEGINNING: LogStart = { bytes: 0, lines: 0, state: undefined, importNo: null, tail: new Tail(), readBytes: 0 }

async function seekStart(input: Input, candidates: readonly Candidate[]): Promise<LogStart> {
  const { totalBytes = 0 } = input.progress()
  for (const { bytes, lines, state, importNo, tailSha256 } of candidates) {
    if (bytes > totalBytes || tailSha256 === undefined) continue
    const from = Math.max(0, bytes - LOG_TAIL_BYTES)
    const tail = new Tail(await input.readAt(from, bytes - from))
    if (tail.sha256 === tailSha256) return { bytes, lines, state, importNo, tail, readBytes: 0 }
  }
  return BEGINNING
}

/**
 * What older versions noted, a hash of all that was read, is held against the content once; a checkpoint takes its place.
 * Where lines depend on others, the reader sees them all.
 */
async function readToStart(
  input: Input,
  log: Log,
  options: { candidates: readonly Candidate[]; checkpoints: Checkpoints; head: Buffer; start: LogStart },
): Promise<LogStart> {
  const { candidates, checkpoints, head } = options
  const hash = candidates.some(({ tailSha256 }) => tailSha256 === undefined) ? createHash('sha256') : undefined
  const visitor = {
    line: (text: string, from: number, to: number) => void log.reader.parse(text, from, to),
    fault: () => undefined,
  }
  const tail = new Tail()
  const chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
  let { start } = options
  let readBytes = 0
  for (const candidate of candidates.toReversed()) {
    while (readBytes < candidate.bytes) {
      const read = await input.read(chunk.subarray(0, Math.min(candidate.bytes - readBytes, chunk.length)))
      if (read === 0) return { ...start, readBytes }
      const part = chunk.subarray(0, read)
      readBytes += read
      tail.push(part)
      hash?.update(part)
      if (hash && log.isStateful) log.splitter.push(part, visitor)
    }
    const { bytes, lines, importNo, tailSha256, prefixSha256 } = candidate
    const isOld = tailSha256 === undefined
    if (isOld ? hash?.copy().digest('hex') !== prefixSha256 : tail.sha256 !== tailSha256) continue
    const state = isOld ? toState(log) : candidate.state
    start = { bytes, lines, state, importNo, tail: tail.copy(), readBytes }
    if (isOld) checkpoints.add(head, { bytes, lines, state, tailSha256: tail.sha256 }, candidate)
  }
  return { ...start, readBytes }
}
