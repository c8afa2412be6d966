import { openLogLines } from './detect.ts'
import type { Batch } from './batch.ts'
import { type Classification, createClassifier, type LineClassifier } from './classify.ts'
import { createReader, type Log, type LogOptions } from './open-log.ts'
import { createSkim } from './skim-combined.ts'

/** A log whose lines stand for themselves; plain values, so that it can be sent to another thread. */
export interface LogKind {
  readonly format: Log['format']
  readonly options: LogOptions
}

/** Classifies blocks of whole lines of one kind of log. */
export class BlockClassifier {
  readonly #classifier: LineClassifier
  #splitter = openLogLines()

  constructor({ format, options }: LogKind, classification: Classification) {
    const reader = createReader(format, options)
    const skim = format === 'combined' ? createSkim(classification) : undefined
    this.#classifier = createClassifier(reader, classification, () => this.#splitter.number, skim)
  }

  /** `offset` is where the lines start in the content. */
  classify(lines: Buffer, offset: number): Batch {
    this.#splitter = openLogLines(offset)
    this.#splitter.push(lines, this.#classifier)
    return this.#classifier.take()
  }

  /** A batch of one line that can't be read. */
  reject(reason: string): Batch {
    this.#splitter = openLogLines()
    this.#classifier.fault(reason)
    return this.#classifier.take()
  }

  /** What the log's last line, which has no end, comes to; it may be left for later. Undefined where there is none. */
  classifyLast(rest: Buffer, offset: number): Batch | 'left' | undefined {
    let line: string | undefined
    let isLeft = false
    this.#splitter = openLogLines(offset)
    const visitor = {
      line: (text: string, start: number, end: number) => void (line = text.slice(start, end)),
      fault: () => void (isLeft = true),
    }
    this.#splitter.push(rest, visitor)
    this.#splitter.end(visitor)
    if (isLeft) return 'left'
    if (line === undefined || line.trim() === '') return undefined
    return this.#classifier.tryLine(line) ? this.#classifier.take() : 'left'
  }
}
