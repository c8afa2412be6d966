import type { Sentiment } from '../../domain/enums.ts'

/** A link of an answer with what is derived from it. Positions count from 1 over the links that were kept. */
export interface DerivedCitation {
  readonly url: string
  readonly title: string
  readonly givenDomain: string | null
  readonly host: string
  readonly domain: string
  /** Null when only its domain is known. */
  readonly page: string | null
}

/** One answer (or, with `text` empty, a no_answer) ready for the lake. */
export interface DerivedAnswer {
  /** Index of the input file it came from; results are counted by it. */
  readonly fileNo: number
  readonly id: string
  /** Days since 1970-01-01, UTC. */
  readonly day: number
  readonly askedAtMs: number | null
  readonly platformNo: number
  readonly promptNo: number
  readonly market: string | null
  readonly text: string
  readonly sentiment: Sentiment | null
  readonly provider: string | null
  readonly model: string | null
  /** JSON arrays as text, null when the record had none. */
  readonly searchQueries: string | null
  readonly givenMentions: string | null
  readonly consulted: string | null
  /** Brand numbers in order of first appearance. */
  readonly mentions: readonly number[]
  readonly citations: readonly DerivedCitation[]
}
