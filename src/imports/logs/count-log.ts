import type { Checkpoint, Tail } from './checkpoints.ts'
import type { LogBatch } from './log-batch.ts'
import type { TallyOptions } from './log-tally.ts'
import type { LogOptions } from './open-log.ts'

/** Takes what lines come to, in their order. */
export interface LogSink {
  /** `linesBefore` is to be added to the numbers of the batch's lines. */
  onBatch(batch: LogBatch, linesBefore: number): Promise<void>
  onProgress?(progress: { readBytes: number; totalBytes: number | undefined; lines: number }): void
}

export interface CountOptions extends LogSink {
  readonly log: LogOptions
  readonly tally: TallyOptions
  readonly signal?: AbortSignal | undefined
}

/** Where in a log counting starts. */
export interface CountStart {
  /** Bytes of the content before, and the lines in them. */
  readonly bytes: number
  readonly lines: number
  /** Of these bytes. Where it ends within a line, that line has been counted. */
  readonly tail: Tail
  /** At least so much more content is to be expected. */
  readonly expectedBytes: number
}

/** How far a log was counted. */
export interface CountedLog extends Checkpoint {
  /** Lines that are no blank line, comment or header, of those counted now. */
  readonly records: number
  /** A last line without its end was left for later. */
  readonly isLastLeft: boolean
}

/** Counts the lines of one log. */
export interface LogCount {
  /** Lines counted so far, those before the start too. */
  readonly lines: number
  /** Memory for the next bytes, as soon as there is some. */
  room(): Promise<Uint8Array>
  /** Counts the bytes that were written to the beginning of the last `room`. */
  take(bytes: number): Promise<void>
  /** Nothing more comes. A last line without its end counts when whatever may still come of it changes nothing. */
  end(): Promise<CountedLog>
  close(): Promise<void>
}
