import { CARD_REPORT_ROWS, CARD_REPORT_ROWS_MAX } from '../limits.ts'
import type { BotsRow } from '../reports/bots/contract.ts'
import { reportBots } from '../reports/bots/query.ts'
import type { CitationRow } from '../reports/citations/contract.ts'
import { reportCitations } from '../reports/citations/query.ts'
import { type CitingPromptRow, type CitingPromptsRequest, reportCitingPrompts } from '../reports/citing-prompts.ts'
import { type CitedSourceRow, type CitedSourcesRequest, reportCitedSources } from '../reports/cited-sources.ts'
import { type OwnAnswersRow, type OwnPageRow, reportOwnAnswers, reportOwnPages } from '../reports/own-slices.ts'
import type { BotsRequest } from '../reports/bots/contract.ts'
import type { CitationsRequest } from '../reports/citations/contract.ts'
import type { RangeRequest, ReportPage } from '../reports/request.ts'
import type { SentimentRequest } from '../reports/sentiment/contract.ts'
import type { VisibilityRequest } from '../reports/visibility/contract.ts'
import type { ReportContext, ReportRun } from '../reports/run.ts'
import { reportSentiment } from '../reports/sentiment/query.ts'
import type { SentimentRow } from '../reports/sentiment/contract.ts'
import { reportVisibility } from '../reports/visibility/query.ts'
import type { VisibilityRow } from '../reports/visibility/contract.ts'
import type { DayRange } from './windows.ts'

/** What is left of a report's request when site, range and paging are given. */
type Question<Request extends RangeRequest> = Omit<Request, keyof RangeRequest>

/** Asks one report about a range of days and gives its rows in their order: all of them, or the first `atMost`. */
type Ask<Asked, Row> = (range: DayRange, question: Asked, atMost?: number) => Promise<readonly Row[]>

/** The reports of one site as rules read them. Rejects with what the reports reject with. */
export interface ReportRows {
  readonly visibility: Ask<Question<VisibilityRequest>, VisibilityRow>
  readonly citations: Ask<Question<CitationsRequest>, CitationRow>
  readonly citedSources: Ask<Question<CitedSourcesRequest>, CitedSourceRow>
  readonly citingPrompts: Ask<Question<CitingPromptsRequest>, CitingPromptRow>
  readonly ownAnswers: Ask<Question<RangeRequest>, OwnAnswersRow>
  readonly ownPages: Ask<Question<RangeRequest>, OwnPageRow>
  readonly sentiment: Ask<Question<SentimentRequest>, SentimentRow>
  readonly bots: Ask<Question<BotsRequest>, BotsRow>
}

/** Each question is asked once: rules that look at the same rows see the same numbers, whatever is imported meanwhile. */
export function openReportRows(context: ReportContext, siteId: string): ReportRows {
  const toAsk = <Asked extends object, Row>(
    report: (context: ReportContext, siteId: string, request: Asked & RangeRequest) => ReportRun<Row>,
  ): Ask<Asked, Row> => {
    const asked = new Map<string, Promise<readonly Row[]>>()
    return async (range, question, atMost = CARD_REPORT_ROWS_MAX) => {
      const base = { ...question, site_id: siteId, start_date: range.first, end_date: range.last }
      const key = JSON.stringify([base, atMost])
      const rows = asked.get(key) ?? readRows((page) => report(context, siteId, { ...base, ...page }).page(), atMost)
      asked.set(key, rows)
      return rows
    }
  }
  return {
    visibility: toAsk<Question<VisibilityRequest>, VisibilityRow>(reportVisibility),
    citations: toAsk<Question<CitationsRequest>, CitationRow>(reportCitations),
    citedSources: toAsk<Question<CitedSourcesRequest>, CitedSourceRow>(reportCitedSources),
    citingPrompts: toAsk<Question<CitingPromptsRequest>, CitingPromptRow>(reportCitingPrompts),
    ownAnswers: toAsk<Question<RangeRequest>, OwnAnswersRow>(reportOwnAnswers),
    ownPages: toAsk<Question<RangeRequest>, OwnPageRow>(reportOwnPages),
    sentiment: toAsk<Question<SentimentRequest>, SentimentRow>(reportSentiment),
    bots: toAsk<Question<BotsRequest>, BotsRow>(reportBots),
  }
}

async function readRows<Row>(
  ask: (page: { limit: number; cursor?: string }) => Promise<ReportPage<Row>>,
  atMost: number,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(CARD_REPORT_ROWS, atMost - rows.length)
    const page: ReportPage<Row> = await ask(cursor === null ? { limit } : { limit, cursor })
    rows.push(...page.data)
    cursor = page.info.next_cursor
  } while (cursor !== null && rows.length < atMost)
  return rows
}
