import { LOG_BATCH_BYTES, LOG_LINE_BYTES_MAX, LOG_PARALLEL_BYTES_MIN } from '../../limits.ts'
import type { CountedLog, CountOptions, CountStart, LogCount } from './count-log.ts'
import { createLogSplitter } from './detect.ts'
import { createLogTally, type LogBatch, type LogTally } from './log-tally.ts'
import type { Log } from './open-log.ts'
import { startTallyPool, type TallyPool } from './tally-pool.ts'

/**
 * Counts a log whose lines stand for themselves, in batches of whole lines: in this thread at first, then, when there is
 * more, beside each other in several.
 */
export class BatchCount implements LogCount {
  lines: number
  readonly #log: Log
  readonly #options: CountOptions
  readonly #start: CountStart
  readonly #tally: LogTally
  #splitter = createLogSplitter('lines')
  #records = 0
  /** Of the content, up to the batch that is being gathered. */
  #bytes: number
  #gathered = Buffer.allocUnsafeSlow(LOG_BATCH_BYTES)
  #gatheredBytes = 0
  /** Those of them that are whole lines. */
  #wholeBytes = 0
  /** Drops what comes up to the next end of a line. */
  #isSkipping: boolean
  #pool: TallyPool | undefined
  #starting: Promise<void> | undefined
  readonly #underWay: Promise<LogBatch>[] = []

  constructor(log: Log, start: CountStart, options: CountOptions) {
    this.#log = log
    this.#options = options
    this.#start = start
    this.#tally = createLogTally(log.reader, options.tally, () => this.#splitter.number)
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#isSkipping = start.isWithinLine
  }

  async push(chunk: Buffer): Promise<void> {
    const rest = this.#isSkipping ? this.#skip(chunk) : chunk
    this.#gather(rest)
    if (this.#wholeBytes === 0 && this.#gatheredBytes > LOG_LINE_BYTES_MAX + RETURN_BYTES) await this.#dropLine()
    else if (this.#wholeBytes > 0 && (!this.#pool || this.#wholeBytes >= LOG_BATCH_BYTES / 2)) await this.#judge()
    if (this.#bytes - this.#start.bytes >= LOG_PARALLEL_BYTES_MIN) this.#startPool()
  }

  async end(): Promise<CountedLog> {
    if (this.#wholeBytes > 0) await this.#judge()
    await this.#takeAll(0)
    const rest = this.#gathered.subarray(0, this.#gatheredBytes)
    if (this.#tryLast(rest)) this.#hash(rest)
    await this.#take(this.#tally.take())
    const sha256 = this.#start.hash.copy().digest('hex')
    return { bytes: this.#bytes, sha256, lines: this.lines, records: this.#records }
  }

  async close(): Promise<void> {
    await this.#starting
    await this.#pool?.[Symbol.asyncDispose]()
  }

  #skip(chunk: Buffer): Buffer {
    const newline = chunk.indexOf(NEWLINE)
    const skipped = newline === -1 ? chunk.length : newline + 1
    this.#hash(chunk.subarray(0, skipped))
    this.#isSkipping = newline === -1
    return chunk.subarray(skipped)
  }

  #gather(chunk: Buffer): void {
    const bytes = this.#gatheredBytes + chunk.length
    if (bytes > this.#gathered.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#gathered.length))
      this.#gathered.copy(larger, 0, 0, this.#gatheredBytes)
      this.#gathered = larger
    }
    chunk.copy(this.#gathered, this.#gatheredBytes)
    const newline = chunk.lastIndexOf(NEWLINE)
    if (newline !== -1) this.#wholeBytes = this.#gatheredBytes + newline + 1
    this.#gatheredBytes = bytes
  }

  /** Hands the whole lines on; what is left starts the next batch. */
  async #judge(): Promise<void> {
    const offset = this.#bytes
    const batch = this.#gathered.subarray(0, this.#wholeBytes)
    const rest = this.#gathered.subarray(this.#wholeBytes, this.#gatheredBytes)
    this.#hash(batch)
    this.#gatheredBytes = rest.length
    this.#wholeBytes = 0
    if (this.#pool) {
      this.#gathered = Buffer.allocUnsafeSlow(LOG_BATCH_BYTES + rest.length)
      rest.copy(this.#gathered)
      this.#underWay.push(this.#pool.tally(batch, offset))
      await this.#takeAll(this.#pool.width)
      return
    }
    this.#splitter = createLogSplitter('lines', { offset })
    this.#splitter.push(batch, this.#tally)
    rest.copy(this.#gathered)
    await this.#take(this.#tally.take())
  }

  /** Takes the results of batches, in their order, until no more than `left` are under way. */
  async #takeAll(left: number): Promise<void> {
    while (this.#underWay.length > left) {
      const batch = await this.#underWay.shift()
      if (batch) await this.#take(batch)
    }
  }

  async #take(batch: LogBatch): Promise<void> {
    const before = this.lines
    this.lines += batch.lines
    this.#records += batch.records
    await this.#options.onBatch(batch, before)
  }

  /** A line longer than any may be: rejected once, and not held. */
  async #dropLine(): Promise<void> {
    this.#hash(this.#gathered.subarray(0, this.#gatheredBytes))
    this.#gatheredBytes = 0
    this.#isSkipping = true
    this.#splitter = createLogSplitter('lines')
    this.#tally.fault(`line too long: over ${LOG_LINE_BYTES_MAX} bytes`)
    this.#underWay.push(Promise.resolve(this.#tally.take()))
    await this.#takeAll(this.#pool?.width ?? 0)
  }

  /** Whether the line without its end, if there is one, could be read and is counted. */
  #tryLast(rest: Buffer): boolean {
    let isCounted = false
    this.#splitter = createLogSplitter('lines', { offset: this.#bytes })
    this.#splitter.push(rest, NOTHING)
    this.#splitter.end({
      line: (text, start, end) => {
        isCounted = this.#tally.tryLine(text.slice(start, end))
      },
      fault: () => undefined,
    })
    return isCounted
  }

  #hash(bytes: Buffer): void {
    this.#start.hash.update(bytes)
    this.#bytes += bytes.length
  }

  /** Threads are started once; where they can't be, this one goes on. */
  #startPool(): void {
    const { log, tally } = this.#options
    const { format } = this.#log
    this.#starting ??= startTallyPool({
      format: format === 'log-format' ? { logFormat: log.logFormat ?? '' } : format,
      reader: { addressField: log.addressField, trustedProxies: log.trustedProxies },
      tally,
    }).then((pool) => {
      this.#pool = pool
    })
  }
}

const NEWLINE = 0x0a
/** A `\r` before the end of a line isn't part of it. */
const RETURN_BYTES = 1
const NOTHING = { line: () => undefined, fault: () => undefined }
