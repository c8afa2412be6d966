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

/** Two days, `YYYY-MM-DD`, both inclusive. */
export interface Days {
  readonly start_date: string
  readonly end_date: string
}

/** What every report takes. */
export interface RangeRequest extends Days {
  readonly site_id: string
  readonly limit: number
  readonly cursor?: string | undefined
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
    readonly compare_start_date?: string
    readonly compare_end_date?: string
    readonly excluded_cells?: number
    readonly notes?: readonly string[]
  }
  readonly data: readonly R[]
}

/** All rows of a report, of one snapshot. Dispose of it. */
export interface WholeReport<R> extends AsyncDisposable {
  /** As if it were one page; there is none behind it. */
  readonly info: ReportPage<R>['info']
  /** To be read once. Ends with ApiError `too_many_rows` where `info.total_results` is above `info.count`. */
  readonly batches: AsyncIterable<readonly R[]>
}

/** Fields of time, in the order in which rows are sorted by them. */
export const TIMES: readonly string[] = ['date', 'week', 'month', 'hour']
