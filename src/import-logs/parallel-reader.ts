import { LOG_BLOCK_BYTES, LOG_LINE_BYTES_MAX, LOG_PARALLEL_BYTES_MIN } from '../log-limits.ts'
import { RETURN_BYTES, tooLong } from '../input/lines.ts'
import type { Batch } from './batch.ts'
import type { Tail } from './checkpoints.ts'
import { BlockClassifier, type LogKind } from './classify-block.ts'
import type { ContentEnd, ContentOptions, ContentReader, ContentStart } from './read-log.ts'
import type { Log } from './open-log.ts'
import type { BlockAnswer, WorkerPool } from './worker-pool.ts'

/** Reads a log whose lines stand for themselves, in blocks of whole lines that are classified beside each other. */
export class ParallelReader implements ContentReader {
  lines: number
  readonly #options: ContentOptions
  readonly #pool: WorkerPool
  readonly #kind: LogKind
  /** For lines that aren't in a block of whole ones. */
  readonly #classifier: BlockClassifier
  readonly #start: ContentStart
  /** Of the content, up to the block that is being filled. */
  #bytes: number
  readonly #tail: Tail
  #records = 0
  #block: Buffer
  #filled = 0
  /** Drops what comes up to the next end of a line. */
  #isSkipping: boolean
  /** Blocks in their order. */
  readonly #underWay: Promise<BlockAnswer | { readonly batch: Batch; readonly memory: undefined }>[] = []

  constructor({ format }: Log, start: ContentStart, options: ContentOptions) {
    this.#options = options
    this.#pool = options.pool
    this.#kind = { format, options: options.log }
    this.#classifier = new BlockClassifier(this.#kind, this.#pool.classification)
    this.#start = start
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#tail = start.tail.copy()
    this.#isSkipping = start.tail.isWithinLine
    this.#block = Buffer.from(this.#pool.takeMemory())
    if (start.expectedBytes >= LOG_PARALLEL_BYTES_MIN) this.#pool.start()
  }

  get room(): Uint8Array {
    return this.#block.subarray(this.#filled)
  }

  async take(bytes: number): Promise<void> {
    this.#filled += bytes
    if (this.#isSkipping) this.#skip()
    if (this.#filled < LOG_BLOCK_BYTES) return
    await this.#classifyWhole()
    // No line has ended in all of it.
    if (this.#filled === LOG_BLOCK_BYTES) this.#dropLine()
    if (this.#bytes - this.#start.bytes >= LOG_PARALLEL_BYTES_MIN) this.#pool.start()
  }

  async end(): Promise<ContentEnd> {
    await this.#classifyWhole()
    if (this.#filled > LOG_LINE_BYTES_MAX + RETURN_BYTES) this.#dropLine()
    await this.#takeAll(0)
    const rest = this.#block.subarray(0, this.#filled)
    const last = this.#classifier.classifyLast(rest, this.#bytes)
    if (typeof last === 'object') {
      await this.#count(last)
      this.#pass(rest)
    }
    this.#pool.giveBack(this.#block.buffer as ArrayBuffer)
    return {
      bytes: this.#bytes,
      tailSha256: this.#tail.sha256,
      lines: this.lines,
      state: undefined,
      records: this.#records,
      isLastLeft: last === 'left',
    }
  }

  /** Drops what has been read of the line under way. */
  #skip(): void {
    const filled = this.#block.subarray(0, this.#filled)
    const newline = filled.indexOf(NEWLINE)
    const skipped = newline === -1 ? filled.length : newline + 1
    this.#pass(filled.subarray(0, skipped))
    this.#isSkipping = newline === -1
    this.#filled = filled.copy(this.#block, 0, skipped)
  }

  /** Hands the whole lines on; what is left begins the next block. */
  async #classifyWhole(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled)
    const bytes = block.lastIndexOf(NEWLINE) + 1
    if (bytes === 0) return
    await this.#takeAll(this.#pool.blocksMax)
    const next = Buffer.from(this.#pool.takeMemory())
    this.#filled = block.copy(next, 0, bytes)
    const offset = this.#bytes
    this.#pass(block.subarray(0, bytes))
    const memory = this.#block.buffer as ArrayBuffer
    this.#block = next
    const answer = this.#pool.classify({ kind: this.#kind, memory, bytes, offset })
    // A failure is met when it is this block's turn.
    answer.catch(() => undefined)
    this.#underWay.push(answer)
  }

  /** Takes the results of blocks, in their order, until no more than `left` are under way. */
  async #takeAll(left: number): Promise<void> {
    while (this.#underWay.length > left) {
      const answer = await this.#underWay.shift()
      if (answer?.memory) this.#pool.giveBack(answer.memory)
      if (answer) await this.#count(answer.batch)
    }
  }

  async #count(batch: Batch): Promise<void> {
    const before = this.lines
    this.lines += batch.lines
    this.#records += batch.records
    await this.#options.onBatch(batch, before)
  }

  /** A line longer than any may be: rejected once, and not held. */
  #dropLine(): void {
    this.#pass(this.#block.subarray(0, this.#filled))
    this.#filled = 0
    this.#isSkipping = true
    const batch = this.#classifier.reject(tooLong(LOG_LINE_BYTES_MAX))
    this.#underWay.push(Promise.resolve({ batch, memory: undefined }))
  }

  #pass(bytes: Buffer): void {
    this.#tail.push(bytes)
    this.#bytes += bytes.length
  }
}

const NEWLINE = 0x0a
