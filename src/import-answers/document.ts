import { ANSWER_RECORD_BYTES_MAX } from '../limits.ts'

/** One record of a file, where it starts (lines count from 1) and what it says. */
interface ParsedDocument {
  readonly line: number
  /** Which of the file's arrays it stands in, from 1; 0 outside of one. */
  readonly array: number
  readonly text: string
  readonly json: unknown
}

/** A record that can't be read, and why; `text` is what there is of it, cut short when it is very long. */
interface FaultyDocument {
  readonly line: number
  readonly array: number
  readonly text: string
  readonly reason: string
}

export type Document = ParsedDocument | FaultyDocument

/** Takes a file's bytes piece by piece and gives the records that each piece completes. */
export interface DocumentReader {
  push(bytes: Buffer): Document[]
  end(): Document[]
}

/** Reason for a record over the limit, whose bytes are dropped as they come. */
export const TOO_LONG = `longer than ${ANSWER_RECORD_BYTES_MAX / (1_024 * 1_024)} MiB`

/** What is kept of such a record. */
export const EXCERPT_BYTES = 1_000
