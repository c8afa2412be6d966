import type { Sentiment } from './enums.ts'

/** A link an answer gives as a source, as it came: `domain` stands in for the host of a link that only redirects. */
export interface CitationRecord {
  readonly url: string
  readonly title?: string | undefined
  readonly domain?: string | undefined
}

/**
 * One answer in the native format (contract/imports 2.1), before anything is derived. Every payload adapter yields this shape.
 * `text` null or empty: the engine was asked and gave no answer.
 */
export interface AnswerRecord {
  readonly id?: string | undefined
  /** UTC day, `YYYY-MM-DD`. */
  readonly date?: string | undefined
  /** ISO 8601; without a zone it is UTC. */
  readonly asked_at?: string | undefined
  readonly platform?: string | undefined
  readonly prompt_id?: string | undefined
  readonly prompt?: string | undefined
  readonly category?: string | undefined
  readonly market?: string | null | undefined
  readonly text: string | null
  readonly citations: readonly CitationRecord[]
  /** Absent: brands are looked for in the text. Empty: no brand is named. */
  readonly mentions?: readonly string[] | undefined
  readonly sentiment?: Sentiment | null | undefined
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly search_queries?: readonly string[] | undefined
  /** Sources the engine read without citing them. */
  readonly consulted?: readonly CitationRecord[] | undefined
}
