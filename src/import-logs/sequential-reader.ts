import { READ_CHUNK_BYTES } from '../limits.ts'
import type { Tail } from './checkpoints.ts'
import { createClassifier, type LineClassifier } from './classify.ts'
import type { ContentEnd, ContentOptions, ContentReader, ContentStart } from './read-log.ts'
import { type Log, toState } from './open-log.ts'

/** Reads a log whose lines depend on those before, or whose records aren't lines: in order, in this thread. */
export class SequentialReader implements ContentReader {
  lines: number
  readonly #log: Log
  readonly #options: ContentOptions
  readonly #tail: Tail
  readonly #classifier: LineClassifier
  readonly #chunk = Buffer.allocUnsafeSlow(READ_CHUNK_BYTES)
  #records = 0
  /** Of the content so far. */
  #bytes: number
  /** Up to the record under way. */
  #counted: { readonly bytes: number; readonly tail: Tail }

  constructor(log: Log, start: ContentStart, options: ContentOptions) {
    this.#log = log
    this.#options = options
    this.#tail = start.tail.copy()
    this.#classifier = createClassifier(log.reader, options.pool.classification, () => log.splitter.number)
    this.lines = start.lines
    this.#bytes = start.bytes
    this.#counted = { bytes: start.bytes, tail: start.tail }
  }

  get room(): Uint8Array {
    return this.#chunk
  }

  async take(bytes: number): Promise<void> {
    const chunk = this.#chunk.subarray(0, bytes)
    const { splitter } = this.#log
    splitter.push(chunk, this.#classifier)
    const counted = Math.max(0, splitter.offset - this.#bytes)
    this.#tail.push(chunk.subarray(0, counted))
    if (counted > 0) this.#counted = { bytes: splitter.offset, tail: this.#tail.copy() }
    this.#tail.push(chunk.subarray(counted))
    this.#bytes += chunk.length
    await this.#handOver()
  }

  async end(): Promise<ContentEnd> {
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
    const isCounted = last === undefined ? !isBroken : this.#classifier.tryLine(last)
    if (isCounted) this.#counted = { bytes: this.#bytes, tail: this.#tail }
    await this.#handOver()
    const { bytes, tail } = this.#counted
    return {
      bytes,
      tailSha256: tail.sha256,
      lines: this.lines,
      state: isCounted ? toState(this.#log) : toState(this.#log, this.#log.splitter.number),
      records: this.#records,
      isLastLeft: !isCounted && last?.trim() !== '',
    }
  }

  async #handOver(): Promise<void> {
    const batch = this.#classifier.take()
    this.lines += batch.lines
    this.#records += batch.records
    await this.#options.onBatch(batch, 0)
  }
}
