import type { AnswerRecord } from '../../domain/answer.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { engineOfUrl } from './engine-of-url.ts'
import { toAskedAt } from '../asked-at.ts'
import { isOverviewPage, toOverviewAnswer } from './brightdata-overview.ts'
import { errorAt, isObject, type JsonObject, objectAt, textAt, textsAt } from './json.ts'
import { hasSources, toSources, uncited } from './sources.ts'

/** Bright Data's data set rows of chat engines, and its Google pages with an AI Overview (contract/payloads 11). */
export const brightdata = defineAdapter({
  format: 'brightdata',
  looksFor: 'answer_text with prompt, or ai_overview.texts[]',
  recognises: (payload) => isRow(payload) || isOverviewPage(payload),
  toRecords: (payload) => [isRow(payload) ? toRecord(payload) : toOverviewAnswer(payload)],
})

const TEXT_FIELDS = ['answer_text_markdown', 'answer_text', 'answer', 'response_raw', 'response'] as const
const CITATION_FIELDS = ['citations', 'links_attached', 'sources'] as const
const OWN_FIELDS = [
  'answer_text',
  'answer_text_markdown',
  'answer_html',
  'answer_section_html',
  'prompt_sent_at',
] as const

function isRow(payload: JsonObject): boolean {
  if (OWN_FIELDS.some((field) => field in payload)) return true
  // Rows of other engines, and of failed requests, have the page that was asked and little else.
  const asked = objectAt(payload, 'input') ?? payload
  return (
    textAt(asked, 'prompt') !== undefined &&
    engineOfUrl(textAt(asked, 'url')) !== undefined &&
    [...TEXT_FIELDS, 'error', 'error_code'].some((field) => field in payload)
  )
}

function toRecord(row: JsonObject): AnswerRecord | Rejection {
  const error = errorAt(row) ?? textAt(row, 'error_code')
  if (error !== undefined) return { reason: `the row is a failed request: ${error}` }
  const text = TEXT_FIELDS.map((field) => textAt(row, field)).find((each) => each !== undefined)
  const field = CITATION_FIELDS.find((each) => hasSources(row, each))
  const links = field === undefined ? [] : row[field]
  const citations = Array.isArray(links) ? toSources(links.filter(isCited)) : []
  const read = Array.isArray(links) ? toSources(links.filter((link) => !isCited(link))) : []
  const asked = objectAt(row, 'input')
  return {
    asked_at: toAskedAt(row['prompt_sent_at']) ?? toAskedAt(row['timestamp']),
    platform: engineOfUrl(textAt(row, 'url')) ?? engineOfUrl(textAt(asked, 'url')),
    prompt: textAt(row, 'prompt') ?? textAt(asked, 'prompt'),
    text: text ?? null,
    citations,
    provider: 'brightdata',
    model: textAt(row, 'model'),
    search_queries: toQueries(row),
    consulted: uncited([...read, ...toSources(row['search_sources'])], citations),
  }
}

/** Some engines' rows list every source and mark those that the text leans on. */
function isCited(link: unknown): boolean {
  return !isObject(link) || link['cited'] !== false
}

function toQueries(row: JsonObject): readonly string[] | undefined {
  const metadata = objectAt(row, 'metadata') ?? row
  return (
    textsAt(row, 'web_search_query') ??
    textsAt(objectAt(metadata, 'search_model_queries'), 'queries') ??
    textsAt(metadata, 'search_model_queries')
  )
}
