import { CARD_REPORT_ROWS, CARD_REPORT_ROWS_MAX } from '../limits.ts'
import { type BotsRow, reportBots } from '../reports/bots.ts'
import { type CitationRow, reportCitations } from '../reports/citations.ts'
import { type CitedSourceRow, type CitedSourcesRequest, reportCitedSources } from '../reports/cited-sources.ts'
import { type OwnAnswersRow, type OwnPageRow, reportOwnAnswers, reportOwnPages } from '../reports/own-slices.ts'
import type {
  BotsRequest,
  CitationsRequest,
  RangeRequest,
  ReportPage,
  SentimentRequest,
  VisibilityRequest,
} from '../reports/request.ts'
import type { ReportContext } from '../reports/run.ts'
import { reportSentiment, type SentimentRow } from '../reports/sentiment.ts'
import { reportVisibility, type VisibilityRow } from '../reports/visibility.ts'
import type { DayRange } from './windows.ts'

/** What is left of a report's request when site, range and paging are given. */
type Question<Request extends RangeRequest> = Omit<Request, keyof RangeRequest>

/** Asks one report about a range of days and gives its rows in their order: all of them, or the first `atMost`. */
type Ask<Request extends RangeRequest, Row> = (
  range: DayRange,
  question: Question<Request>,
  atMost?: number,
) => Promise<readonly Row[]>

/** The reports of one site as rules read them. Rejects with what the reports reject with. */
export interface ReportRows {
  readonly visibility: Ask<VisibilityRequest, VisibilityRow>
  readonly citations: Ask<CitationsRequest, CitationRow>
  readonly citedSources: Ask<CitedSourcesRequest, CitedSourceRow>
  readonly ownAnswers: Ask<RangeRequest, OwnAnswersRow>
  readonly ownPages: Ask<RangeRequest, OwnPageRow>
  readonly sentiment: Ask<SentimentRequest, SentimentRow>
  readonly bots: Ask<BotsRequest, BotsRow>
}

/** Each question is asked once: rules that look at the same rows see the same numbers, whatever is imported meanwhile. */
export function openReportRows(context: ReportContext, siteId: string): ReportRows {
  const toAsk = <Request extends RangeRequest, Row>(
    report: (context: ReportContext, siteId: string, request: Request) => Promise<ReportPage<Row>>,
  ): Ask<Request, Row> => {
    const asked = new Map<string, Promise<readonly Row[]>>()
    return async (range, question, atMost = CARD_REPORT_ROWS_MAX) => {
      const base = { ...question, site_id: siteId, start_date: range.first, end_date: range.last }
      const key = JSON.stringify([base, atMost])
      const rows =
        asked.get(key) ??
        readRows((page) => report(context, siteId, { ...base, ...page } as unknown as Request), atMost)
      asked.set(key, rows)
      return rows
    }
  }
  return {
    visibility: toAsk(reportVisibility),
    citations: toAsk(reportCitations),
    citedSources: toAsk(reportCitedSources),
    ownAnswers: toAsk(reportOwnAnswers),
    ownPages: toAsk(reportOwnPages),
    sentiment: toAsk(reportSentiment),
    bots: toAsk(reportBots),
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
