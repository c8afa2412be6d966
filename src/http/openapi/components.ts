import { LogReportInfo, ReportInfo } from '../../reports/contract.ts'
import { type Report, REPORTS } from '../../reports/index.ts'
import { PromptReference } from '../../schemas/values.ts'
import type { Schema } from '../endpoint.ts'
import { Fault } from '../schemas/error-body.ts'
import * as resources from '../schemas/resources.ts'

const contracts: readonly Report['contract'][] = REPORTS.map(({ contract }) => contract)

/** Shapes that the document shows once, under these names: of requests as they are sent, of responses as they come. */
export const REQUEST_COMPONENTS: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(contracts.flatMap(({ filter }) => (filter ? [[filter.name, filter.component] as const] : []))),
  ...Object.assign({}, ...contracts.map(({ requestParts }) => requestParts)),
}

export const RESPONSE_COMPONENTS: Readonly<Record<string, Schema>> = {
  LogReportInfo,
  PromptReference,
  ReportInfo,
  ...Object.fromEntries(contracts.map(({ rowName, row }) => [rowName, row] as const)),
  ...Object.assign({}, ...contracts.map(({ rowParts }) => rowParts)),
  ActionCard: resources.ActionCard,
  CallingKey: resources.CallingKey,
  Competitor: resources.Competitor,
  CreatedPrompt: resources.CreatedPrompt,
  Engine: resources.Engine,
  Fault,
  PageInfo: resources.PageInfo,
  Prompt: resources.Prompt,
  Quality: resources.Quality,
  Site: resources.Site,
}
