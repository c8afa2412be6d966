import type { Work } from '../lake/read/work.ts'
import { ANSWERS } from './answers/contract.ts'
import { BOTS } from './bots/contract.ts'
import { CHANGES } from './changes/contract.ts'
import { CITATIONS } from './citations/contract.ts'
import type { ReportContract, RequestOf, RowOf } from './contract.ts'
import type { Walk } from './cursor.ts'
import { REFERRALS } from './referrals/contract.ts'
import type { RangeRequest, ReportPage, WholeReport } from './request.ts'
import type { ReportContext, ReportRun } from './run.ts'
import { SEARCHES } from './searches/contract.ts'
import { SENTIMENT } from './sentiment/contract.ts'
import { VISIBILITY } from './visibility/contract.ts'
import type * as v from 'valibot'

/**
 * Every report, in the order of the API: what is said of it, and the code of its query, which the first request loads so
 * that no start waits for it. Its endpoint and its place in the document follow.
 */
export const REPORTS = [
  { contract: VISIBILITY, load: async () => (await import('./visibility/query.ts')).reportVisibility },
  { contract: BOTS, load: async () => (await import('./bots/query.ts')).reportBots },
  { contract: REFERRALS, load: async () => (await import('./referrals/query.ts')).reportReferrals },
  { contract: CITATIONS, load: async () => (await import('./citations/query.ts')).reportCitations },
  { contract: SENTIMENT, load: async () => (await import('./sentiment/query.ts')).reportSentiment },
  { contract: SEARCHES, load: async () => (await import('./searches/query.ts')).reportSearches },
  { contract: CHANGES, load: async () => (await import('./changes/query.ts')).reportChanges },
  { contract: ANSWERS, load: async () => (await import('./answers/query.ts')).reportAnswers },
] as const satisfies readonly Report[]

/** Any report, of the names `N`. */
export interface Report<N extends string = string> {
  readonly contract: ReportContract<N, v.GenericSchema<unknown, RangeRequest>, v.GenericSchema, v.GenericSchema>
  load(): Promise<Erased['query']>
}

export type ReportName = (typeof REPORTS)[number]['contract']['name']

/** The reports by name, of requests that are checked and sites that exist. */
export type Reports = {
  readonly [R in (typeof REPORTS)[number] as R['contract']['name']]: (
    siteId: string,
    request: RequestOf<R['contract']>,
    work?: Work,
    walk?: Walk,
  ) => Promise<ReportPage<RowOf<R['contract']>>>
}

/** Runs a report; with `work` it ends with that, with `walk` it doesn't open the request's cursor. Rejects with ApiError. */
export type RunReport = Erased['run']

/** Runs a report for all of its rows; ends with `work`. Rejects with ApiError. */
export type RunWholeReport = Erased['runWhole']

/** Methods, not properties: their parameters compare bivariantly, so every report fits into one table. */
interface Erased {
  query(context: ReportContext, siteId: string, request: RangeRequest, walk?: Walk): ReportRun<unknown>
  run(siteId: string, request: RangeRequest, work?: Work, walk?: Walk): Promise<ReportPage<unknown>>
  runWhole(siteId: string, request: RangeRequest, work?: Work): Promise<WholeReport<unknown>>
}
