import type { Schema } from '../endpoint.ts'
import { Fault } from '../schemas/error-body.ts'
import { AnswerFilter, BotFilter, CitationFilter, ReferralFilter } from '../schemas/filters.ts'
import { AnyBrands } from '../schemas/request.ts'
import * as resources from '../schemas/resources.ts'

/** Shapes that the document shows once, under these names: of requests as they are sent, of responses as they come. */
export const REQUEST_COMPONENTS: Readonly<Record<string, Schema>> = {
  AnswerFilter: AnswerFilter.component,
  BotFilter: BotFilter.component,
  Brands: AnyBrands,
  CitationFilter: CitationFilter.component,
  ReferralFilter: ReferralFilter.component,
}

export const RESPONSE_COMPONENTS: Readonly<Record<string, Schema>> = {
  ActionCard: resources.ActionCard,
  Answer: resources.Answer,
  BotRow: resources.BotRow,
  CallingKey: resources.CallingKey,
  Citation: resources.Citation,
  CitationRow: resources.CitationRow,
  Competitor: resources.Competitor,
  Engine: resources.Engine,
  Fault,
  LogReportInfo: resources.LogReportInfo,
  PageInfo: resources.PageInfo,
  Prompt: resources.Prompt,
  PromptReference: resources.PromptReference,
  ReferralRow: resources.ReferralRow,
  ReportInfo: resources.ReportInfo,
  SentimentRow: resources.SentimentRow,
  Site: resources.Site,
  VisibilityRow: resources.VisibilityRow,
}
