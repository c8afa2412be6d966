import { LOG_BATCH_BYTES, LOG_LINE_BYTES_MAX, LOG_PARALLEL_BYTES_MIN, LOG_WAIT_BYTES_MIN } from '../../limits.ts'
import { NOTHING } from '../lines.ts'
import type { CountedLog, CountOptions, CountStart, LogCount } from './count-log.ts'
import { createLogSplitter } from './detect.ts'
import { createLogTally, type LogBatch, type LogTally } from './log-tally.ts'
import type { Log } from './open-log.ts'
import { startTallyPool, type TallyPool } from './tally-pool.ts'

/**
 * Counts a log whose lines stand for themselves, in batches of whole lines: beside each other in several threads where it
 * is large; where that is not known, in this thread at first.
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
  #gathered: Buffer = Buffer.allocUnsafeSlow(SLOT_BYTES)
  /** Its place among the pool's slots; before there is a pool it is none of them. */
  #slot: number | undefined
  #gatheredBytes = 0
  /** Those of them that are whole lines. */
  #wholeBytes = 0
  /** Drops what comes up to the next end of a line. */
  #isSkipping: boolean
  #pool: TallyPool | undefined
  #starting: Promise<void> | undefined
  /** Batches in their order, with the slots that they stand in. */
  readonly #underWay: { readonly slot: number | undefined; readonly batch: Promise<LogBatch> }[] = []

  constructor(log: Log, start: CountStart, options: CountOptions) {
    this.#log = log
    this.#options = options
    this.#start = start
    this.#tally = createLogTally(log.reader, options.tally, () => this.#splitter.number)
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#isSkipping = start.isWithinLine
    if (start.expectedBytes >= LOG_WAIT_BYTES_MIN) this.#startPool()
  }

  async room(): Promise<Uint8Array> {
    if (this.#start.expectedBytes >= LOG_WAIT_BYTES_MIN) await this.#starting
    if (this.#pool && this.#slot === undefined) await this.#moveTo(this.#pool)
    return this.#gathered.subarray(this.#gatheredBytes, this.#gatheredBytes + LOG_BATCH_BYTES)
  }

  async take(bytes: number): Promise<void> {
    const start = this.#gatheredBytes
    this.#gatheredBytes += bytes
    if (this.#isSkipping) this.#skip()
    const newline = this.#gathered.subarray(start, this.#gatheredBytes).lastIndexOf(NEWLINE)
    if (newline !== -1) this.#wholeBytes = start + newline + 1
    if (this.#wholeBytes === 0 && this.#gatheredBytes > LOG_LINE_BYTES_MAX + RETURN_BYTES) await this.#dropLine()
    else if (this.#wholeBytes > 0 && this.#isEnough()) await this.#judge()
    if (this.#bytes - this.#start.bytes >= LOG_PARALLEL_BYTES_MIN) this.#startPool()
  }

  async end(): Promise<CountedLog> {
    if (this.#wholeBytes > 0) await this.#judge()
    await this.#takeAll(0)
    const rest = this.#gathered.subarray(0, this.#gatheredBytes)
    const last = this.#tryLast(rest)
    if (last === 'counted') this.#hash(rest)
    await this.#count(this.#tally.take())
    const sha256 = this.#start.hash.copy().digest('hex')
    return { bytes: this.#bytes, sha256, lines: this.lines, records: this.#records, isLastLeft: last === 'left' }
  }

  async close(): Promise<void> {
    await this.#starting
    await this.#pool?.[Symbol.asyncDispose]()
  }

  #isEnough(): boolean {
    return !this.#pool || this.#wholeBytes >= LOG_BATCH_BYTES / 2 || this.#gatheredBytes > LOG_BATCH_BYTES
  }

  /** Drops what has been gathered of the line under way. */
  #skip(): void {
    const gathered = this.#gathered.subarray(0, this.#gatheredBytes)
    const newline = gathered.indexOf(NEWLINE)
    const skipped = newline === -1 ? gathered.length : newline + 1
    this.#hash(gathered.subarray(0, skipped))
    this.#isSkipping = newline === -1
    this.#gathered.copyWithin(0, skipped, gathered.length)
    this.#gatheredBytes -= skipped
  }

  /** Hands the whole lines on; what is left starts the next batch. */
  async #judge(): Promise<void> {
    const offset = this.#bytes
    const batch = this.#gathered.subarray(0, this.#wholeBytes)
    const rest = this.#gathered.subarray(this.#wholeBytes, this.#gatheredBytes)
    const slot = this.#slot
    if (this.#pool && slot !== undefined) {
      this.#underWay.push({ slot, batch: this.#pool.tally({ slot, bytes: batch.length, offset }) })
      this.#hash(batch)
      await this.#moveTo(this.#pool)
    } else {
      this.#hash(batch)
      this.#splitter = createLogSplitter('lines', { offset })
      this.#splitter.push(batch, this.#tally)
      rest.copy(this.#gathered)
      await this.#count(this.#tally.take())
    }
    this.#gatheredBytes = rest.length
    this.#wholeBytes = 0
  }

  /** Goes on gathering in a free slot, with what isn't judged yet. */
  async #moveTo({ slots }: TallyPool): Promise<void> {
    const isFree = (_: Buffer, no: number): boolean =>
      no !== this.#slot && !this.#underWay.some(({ slot }) => slot === no)
    while (!slots.some(isFree)) await this.#takeAll(this.#underWay.length - 1)
    const free = slots.findIndex(isFree)
    const next = slots[free]
    if (!next) throw new Error('the pool has no free memory')
    const judged = this.#slot === undefined ? 0 : this.#wholeBytes
    this.#gathered.copy(next, 0, judged, this.#gatheredBytes)
    this.#gathered = next
    this.#slot = free
  }

  /** Takes the results of batches, in their order, until no more than `left` are under way. */
  async #takeAll(left: number): Promise<void> {
    while (this.#underWay.length > left) {
      const batch = await this.#underWay[0]?.batch
      this.#underWay.shift()
      if (batch) await this.#count(batch)
    }
  }

  async #count(batch: LogBatch): Promise<void> {
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
    this.#underWay.push({ slot: undefined, batch: Promise.resolve(this.#tally.take()) })
    await this.#takeAll(this.#pool?.slots.length ?? 0)
  }

  /** What became of the line without its end, if there is one. */
  #tryLast(rest: Buffer): 'counted' | 'left' | undefined {
    let last: 'counted' | 'left' | undefined
    this.#splitter = createLogSplitter('lines', { offset: this.#bytes })
    this.#splitter.push(rest, NOTHING)
    this.#splitter.end({
      line: (text, start, end) => {
        const line = text.slice(start, end)
        if (this.#tally.tryLine(line)) last = 'counted'
        else if (line.trim() !== '') last = 'left'
      },
      fault: () => undefined,
    })
    return last
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
      slotBytes: SLOT_BYTES,
    }).then(
      (pool) => {
        this.#pool = pool
      },
      // No memory for them: this one goes on, too.
      () => undefined,
    )
  }
}

const NEWLINE = 0x0a
/** A `\r` before the end of a line isn't part of it. */
const RETURN_BYTES = 1
/** A line that is too long is noticed when it is over; until then a batch may stand before it. */
const SLOT_BYTES = LOG_LINE_BYTES_MAX + RETURN_BYTES + 2 * LOG_BATCH_BYTES
