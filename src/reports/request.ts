import type { EngineId } from '../domain/enums.ts'

/** Operators of a condition (contract/api 4.1). */
export const TEXT_OPERATORS = [
  'is',
  'not_is',
  'contains',
  'not_contains',
  'contains_case_insensitive',
  'not_contains_case_insensitive',
  'starts_with',
  'ends_with',
  'matches',
] as const
export const LIST_OPERATORS = ['in', 'not_in'] as const

export type Condition =
  | { readonly field: string; readonly op: (typeof TEXT_OPERATORS)[number]; readonly value: string | boolean }
  | { readonly field: string; readonly op: (typeof LIST_OPERATORS)[number]; readonly value: readonly string[] }

/** A filter as it was sent, already checked: fields, operators, values, patterns, depth and number of conditions. */
export type Filter =
  | Condition
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }

export interface Sort {
  readonly field: string
  readonly dir: 'asc' | 'desc'
}

/** What every report takes. Days are `YYYY-MM-DD`, inclusive. */
export interface RangeRequest {
  readonly site_id: string
  readonly start_date: string
  readonly end_date: string
  readonly limit: number
  readonly cursor?: string | undefined
}

export type AnswerDimension = 'date' | 'platform' | 'prompt' | 'category'

export const VISIBILITY_METRICS = [
  'visibility_score',
  'mention_rate',
  'citation_rate',
  'prompt_coverage',
  'average_position',
  'share_of_voice',
  'answers',
] as const
export type VisibilityMetric = (typeof VISIBILITY_METRICS)[number]

export interface VisibilityRequest extends RangeRequest {
  readonly group_by: readonly AnswerDimension[]
  readonly metrics: readonly VisibilityMetric[]
  readonly brands: 'owned' | 'all' | readonly string[]
  readonly filter?: Filter | undefined
  readonly sort?: Sort | undefined
}

export const CITATION_METRICS = ['answers', 'citations', 'citation_share'] as const
export type CitationMetric = (typeof CITATION_METRICS)[number]

export interface CitationsRequest extends RangeRequest {
  readonly entity: 'domain' | 'page'
  readonly group_by: readonly ('date' | 'platform' | 'prompt')[]
  readonly metrics: readonly CitationMetric[]
  readonly filter?: Filter | undefined
}

/** Counts that a row of the sentiment report has when they are asked for. */
export const SENTIMENT_METRICS = ['positive_answers', 'neutral_answers', 'negative_answers', 'judged_answers'] as const
export type SentimentMetric = (typeof SENTIMENT_METRICS)[number]

export interface SentimentRequest extends RangeRequest {
  readonly group_by: readonly AnswerDimension[]
  readonly metrics?: readonly SentimentMetric[] | undefined
  readonly filter?: Filter | undefined
}

export const ANSWER_FIELDS = [
  'prompt',
  'platform',
  'date',
  'text',
  'brand_mentioned',
  'brand_position',
  'sentiment',
  'mentions',
  'citations',
] as const
export type AnswerField = (typeof ANSWER_FIELDS)[number]

export interface AnswersRequest extends RangeRequest {
  readonly platforms?: readonly EngineId[] | undefined
  readonly prompt_ids?: readonly string[] | undefined
  readonly include: readonly AnswerField[]
}

export const BOT_DIMENSIONS = ['date', 'hour', 'bot_name', 'bot_provider', 'bot_type', 'path', 'page_type'] as const
export const BOT_METRICS = ['hits', 'pages', 'verified_share', 'error_hits', 'last_visit'] as const

export interface BotsRequest extends RangeRequest {
  readonly timezone: string
  readonly group_by: readonly (typeof BOT_DIMENSIONS)[number][]
  readonly metrics: readonly (typeof BOT_METRICS)[number][]
  readonly filter?: Filter | undefined
  readonly sort?: Sort | undefined
}

export const REFERRAL_DIMENSIONS = ['date', 'hour', 'referral_source', 'path', 'page_type'] as const
export const REFERRAL_METRICS = ['visits', 'landing_pages', 'last_visit'] as const

export interface ReferralsRequest extends RangeRequest {
  readonly timezone: string
  readonly group_by: readonly (typeof REFERRAL_DIMENSIONS)[number][]
  readonly metrics: readonly (typeof REFERRAL_METRICS)[number][]
  readonly filter?: Filter | undefined
  readonly sort?: Sort | undefined
}

/** A page of a report. `total_results` counts the rows of all pages. */
export interface ReportPage<R> {
  readonly info: {
    readonly site_id: string
    readonly start_date: string
    readonly end_date: string
    readonly timezone?: string
    readonly count: number
    readonly total_results: number
    readonly next_cursor: string | null
  }
  readonly data: readonly R[]
}
