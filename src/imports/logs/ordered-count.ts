import type { Hash } from 'node:crypto'
import { READ_CHUNK_BYTES } from '../../limits.ts'
import type { LineVisitor } from '../lines.ts'
import type { CountedLog, CountOptions, CountStart, LogCount } from './count-log.ts'
import { createLogTally, type LogTally } from './log-tally.ts'
import type { Log } from './open-log.ts'

/** Counts a log by the splitter and the reader that have seen all of it. */
export class OrderedCount implements LogCount {
  lines: number
  readonly #log: Log
  readonly #options: CountOptions
  readonly #start: CountStart
  readonly #hash: Hash
  readonly #tally: LogTally
  readonly #afterStart: LineVisitor
  readonly #chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
  #records = 0
  /** Of the content so far. */
  #bytes: number
  /** Up to the record under way. */
  #counted: { readonly bytes: number; readonly hash: Hash }

  constructor(log: Log, start: CountStart, options: CountOptions) {
    this.#log = log
    this.#options = options
    this.#start = start
    this.#hash = start.hash
    this.#tally = createLogTally(log.reader, options.tally, {
      lineNumber: () => log.splitter.number,
      onForget: () => undefined,
    })
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#counted = { bytes: start.bytes, hash: start.hash.copy() }
    this.#afterStart = {
      line: (...line) => {
        if (this.#isAfterStart()) this.#tally.line(...line)
      },
      fault: (reason) => {
        if (this.#isAfterStart()) this.#tally.fault(reason)
      },
    }
  }

  async room(): Promise<Uint8Array> {
    return this.#chunk
  }

  async take(bytes: number): Promise<void> {
    const chunk = this.#chunk.subarray(0, bytes)
    const { splitter } = this.#log
    splitter.push(chunk, this.#isAfterStart() ? this.#tally : this.#afterStart)
    const counted = splitter.offset - this.#bytes
    if (counted > 0) {
      this.#hash.update(chunk.subarray(0, counted))
      this.#counted = { bytes: splitter.offset, hash: this.#hash.copy() }
    }
    this.#hash.update(chunk.subarray(Math.max(0, counted)))
    this.#bytes += chunk.length
    await this.#handOver()
  }

  async end(): Promise<CountedLog> {
    let last: string | undefined
    let isBroken = false
    this.#log.splitter.end({
      line: (text, start, end) => {
        last = text.slice(start, end)
      },
      fault: () => {
        isBroken = true
      },
    })
    const isCounted = last === undefined ? !isBroken : !this.#isAfterStart() || this.#tally.tryLine(last)
    if (isCounted) this.#counted = { bytes: this.#bytes, hash: this.#hash }
    await this.#handOver()
    const { bytes, hash } = this.#counted
    const isLastLeft = !isCounted && last?.trim() !== ''
    return { bytes, sha256: hash.copy().digest('hex'), lines: this.lines, records: this.#records, isLastLeft }
  }

  async close(): Promise<void> {}

  #isAfterStart(): boolean {
    return this.#log.splitter.offset >= this.#start.bytes
  }

  async #handOver(): Promise<void> {
    const batch = this.#tally.take()
    this.lines += batch.lines
    this.#records += batch.records
    await this.#options.onBatch(batch, 0)
  }
}
