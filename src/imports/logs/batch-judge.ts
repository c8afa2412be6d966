import { openLogLines } from './detect.ts'
import type { LineMemory } from './line-memory.ts'
import type { LogBatch } from './log-batch.ts'
import { createLogTally, type LogTally, type TallyOptions } from './log-tally.ts'
import type { LogReader } from './reader.ts'
import { UsualLines } from './usual-lines.ts'

/** Whole lines at the beginning of a slot. */
export interface BatchTask {
  /** Place among the slots. */
  readonly slot: number
  /** More than none. */
  readonly bytes: number
  /** Where they begin in the content. */
  readonly offset: number
}

/** Judges batches of a log's lines in the slots of its memory. The lines must stand for themselves. */
export class BatchJudge {
  readonly #tally: LogTally
  readonly #slots: readonly Buffer[]
  readonly #usual: UsualLines | undefined
  #splitter = openLogLines()

  constructor(reader: LogReader, options: TallyOptions, { memory, slots }: LineMemory) {
    this.#tally = createLogTally(reader, options, {
      lineNumber: () => this.#splitter.number,
      onForget: (kind) => this.#usual?.forget(kind),
    })
    this.#slots = slots
    const { usual } = reader
    this.#usual = usual && UsualLines.open(memory, this.#tally.meanings, { leavesBots: usual === 'no-bots' })
  }

  judge({ slot, bytes, offset }: BatchTask): LogBatch {
    const lines = this.#slots[slot]?.subarray(0, bytes)
    if (!lines) throw new Error('there is no such slot')
    this.#splitter = openLogLines(offset)
    if (this.#usual) this.#judgeWith(this.#usual, lines)
    else this.#splitter.push(lines, this.#tally)
    return this.#tally.take()
  }

  /** A batch of one line that can't be read. */
  reject(reason: string): LogBatch {
    this.#splitter = openLogLines()
    this.#tally.fault(reason)
    return this.#tally.take()
  }

  /** What the log's last line, which has no end, comes to; it may be left for later. Undefined where there is none. */
  judgeLast(rest: Buffer, offset: number): LogBatch | 'left' | undefined {
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
    return this.#tally.tryLine(line) ? this.#tally.take() : 'left'
  }

  /** Lines that the scan leaves are read one by one, and more and more of them where they stand side by side. */
  #judgeWith(usual: UsualLines, lines: Buffer): void {
    const start = lines.byteOffset
    let pieceBytes = 1
    for (let at = 0; at < lines.length;) {
      const scanned = usual.scan(start + at, start + lines.length)
      if (scanned.bytes > 0) {
        this.#splitter.pass(scanned.lines, scanned.bytes)
        at += scanned.bytes
        pieceBytes = 1
      } else if (usual.isFull) this.#tally.addUsual(usual.take())
      else {
        const end = lines.indexOf(NEWLINE, Math.min(at + pieceBytes, lines.length) - 1) + 1
        this.#splitter.push(lines.subarray(at, end), this.#tally)
        at = end
        pieceBytes = Math.min(2 * pieceBytes, PIECE_BYTES_MAX)
      }
    }
    this.#tally.addUsual(usual.take())
  }
}

const NEWLINE = 0x0a
const PIECE_BYTES_MAX = 64 * 1_024
