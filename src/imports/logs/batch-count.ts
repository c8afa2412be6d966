import { LOG_BATCH_BYTES, LOG_LINE_BYTES_MAX, LOG_PARALLEL_BYTES_MIN, LOG_WAIT_BYTES_MIN } from '../../limits.ts'
import { RETURN_BYTES, tooLong } from '../lines.ts'
import { BatchJudge } from './batch-judge.ts'
import type { Tail } from './checkpoints.ts'
import type { CountedLog, CountOptions, CountStart, LogCount } from './count-log.ts'
import { openLineMemory } from './line-memory.ts'
import type { LogBatch } from './log-batch.ts'
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
  /** This thread's. */
  readonly #judge: BatchJudge
  #records = 0
  /** Of the content, up to the batch that is being gathered. */
  #bytes: number
  /** Of them. */
  readonly #tail: Tail
  /** A slot of this thread's memory, or, once there is a pool, the one of the pool's that is at this place. */
  #gathered: Buffer
  #slot: number | undefined
  #gatheredBytes = 0
  /** Those of them that are whole lines. */
  #wholeBytes = 0
  /** Drops what comes up to the next end of a line. */
  #isSkipping: boolean
  #pool: TallyPool | undefined
  #starting: Promise<void> | undefined
  /** Batches in their order, with the slots that they stand in until they are judged. */
  readonly #underWay: { readonly slot: number | undefined; readonly batch: Promise<LogBatch> }[] = []

  constructor(log: Log, start: CountStart, options: CountOptions) {
    this.#log = log
    this.#options = options
    this.#start = start
    const memory = openLineMemory(1)
    this.#judge = new BatchJudge(log.reader, options.tally, memory)
    this.#gathered = getSlot(memory.slots, 0)
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#tail = start.tail.copy()
    this.#isSkipping = start.tail.isWithinLine
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
    else if (this.#wholeBytes > 0 && this.#isEnough()) await this.#judgeWhole()
    if (this.#bytes - this.#start.bytes >= LOG_PARALLEL_BYTES_MIN) this.#startPool()
  }

  async end(): Promise<CountedLog> {
    if (this.#wholeBytes > 0) await this.#judgeWhole()
    await this.#takeAll(0)
    const rest = this.#gathered.subarray(0, this.#gatheredBytes)
    const last = this.#judge.judgeLast(rest, this.#bytes)
    if (typeof last === 'object') {
      await this.#count(last)
      this.#pass(rest)
    }
    return {
      bytes: this.#bytes,
      tailSha256: this.#tail.sha256,
      lines: this.lines,
      state: undefined,
      records: this.#records,
      isLastLeft: last === 'left',
    }
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
    this.#pass(gathered.subarray(0, skipped))
    this.#isSkipping = newline === -1
    this.#keep(skipped)
  }

  /** Hands the whole lines on; what is left starts the next batch. */
  async #judgeWhole(): Promise<void> {
    const task = { bytes: this.#wholeBytes, offset: this.#bytes }
    const batch = this.#gathered.subarray(0, this.#wholeBytes)
    const slot = this.#slot
    if (this.#pool && slot !== undefined) {
      this.#underWay.push({ slot, batch: this.#pool.tally({ ...task, slot }) })
      this.#pass(batch)
      await this.#moveTo(this.#pool)
    } else {
      this.#pass(batch)
      const judged = this.#judge.judge({ ...task, slot: 0 })
      this.#keep(batch.length)
      await this.#count(judged)
    }
  }

  /** Drops the beginning of what has been gathered. */
  #keep(start: number): void {
    this.#gathered.copyWithin(0, start, this.#gatheredBytes)
    this.#gatheredBytes -= start
    this.#wholeBytes = 0
  }

  /** Goes on gathering in a free slot, with what isn't judged yet; the threads take turns. */
  async #moveTo({ slots }: TallyPool): Promise<void> {
    const isFree = (no: number): boolean => no !== this.#slot && !this.#underWay.some(({ slot }) => slot === no)
    const inTurn = slots.map((_, no) => (no + (this.#slot ?? -1) + 1) % slots.length)
    while (!inTurn.some(isFree)) await this.#takeAll(this.#underWay.length - 1)
    const free = inTurn.find(isFree)
    const next = getSlot(slots, free ?? -1)
    const judged = this.#slot === undefined ? 0 : this.#wholeBytes
    this.#gathered.copy(next, 0, judged, this.#gatheredBytes)
    this.#gathered = next
    this.#gatheredBytes -= judged
    this.#wholeBytes -= judged
    this.#slot = free
  }

  /** Takes the results of batches, in their order, until no more than `left` are under way. */
  async #takeAll(left: number): Promise<void> {
    while (this.#underWay.length > left) {
      const [first] = this.#underWay
      const batch = await first?.batch
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
    this.#pass(this.#gathered.subarray(0, this.#gatheredBytes))
    this.#gatheredBytes = 0
    this.#isSkipping = true
    const batch = this.#judge.reject(tooLong(LOG_LINE_BYTES_MAX))
    this.#underWay.push({ slot: undefined, batch: Promise.resolve(batch) })
    await this.#takeAll(this.#pool?.slots.length ?? 0)
  }

  #pass(bytes: Buffer): void {
    this.#tail.push(bytes)
    this.#bytes += bytes.length
  }

  /** Threads are started once; where they can't be, this one goes on. */
  #startPool(): void {
    const { log, tally } = this.#options
    const { format } = this.#log
    this.#starting ??= startTallyPool({
      format: format === 'log-format' ? { logFormat: log.logFormat ?? '' } : format,
      reader: { addressField: log.addressField, fields: log.fields, trustedProxies: log.trustedProxies },
      tally,
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

function getSlot(slots: readonly Buffer[], no: number): Buffer {
  const slot = slots[no]
  if (!slot) throw new Error('there is no free memory for lines')
  return slot
}
