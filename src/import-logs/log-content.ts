import type { Batch } from './batch.ts'
import type { Checkpoint, Tail } from './checkpoints.ts'
import type { LogOptions } from './open-log.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ContentOptions {
  readonly log: LogOptions
  readonly pool: WorkerPool
  readonly signal?: AbortSignal | undefined
  /** Takes what lines come to, in their order. `linesBefore` is to be added to the numbers of the batch's lines. */
  onBatch(batch: Batch, linesBefore: number): Promise<void>
  onProgress?(progress: { readBytes: number; totalBytes: number | undefined; lines: number }): void
}

/** Where in a log reading starts. */
export interface ContentStart {
  /** Bytes of the content before, and the lines in them. */
  readonly bytes: number
  readonly lines: number
  /** Of these bytes. Where it ends within a line, that line has been counted. */
  readonly tail: Tail
  /** At least so much more content is to be expected. */
  readonly expectedBytes: number
}

/** How far a log was read. */
export interface ContentEnd extends Checkpoint {
  /** Lines that are no blank line, comment or header, of those read now. */
  readonly records: number
  /** A last line without its end was left for later. */
  readonly isLastLeft: boolean
}

/** Reads the lines of one log. */
export interface ContentReader {
  /** Lines so far, those before the start too. */
  readonly lines: number
  /** Memory for the next bytes. */
  readonly room: Uint8Array
  /** Takes the bytes that were written to the beginning of the last `room`. */
  take(bytes: number): Promise<void>
  /** Nothing more comes. A last line without its end counts when whatever may still come of it changes nothing. */
  end(): Promise<ContentEnd>
}
