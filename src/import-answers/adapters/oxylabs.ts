import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { engineOfUrl } from './engine-of-url.ts'
import { toAskedAt } from '../asked-at.ts'
import { describe, isObject, type JsonObject, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { overviewsOf, toOverview } from './oxylabs-overview.ts'
import { defined, toSource, toSources } from './sources.ts'

/** Oxylabs' Web Scraper API, a record for each of `results` (contract/payloads 12). */
export const oxylabs = defineAdapter({
  format: 'oxylabs',
  looksFor: 'results[].content',
  recognises: (payload) => objectsAt(payload, 'results').some((result) => 'content' in result),
  toRecords: (payload) => objectsAt(payload, 'results').map((result) => toRecord(result, objectAt(payload, 'job'))),
})

const TEXT_FIELDS = ['markdown_text', 'answer_results_md', 'response_text'] as const
/** Of a parsed page; without it the content is the page as it was, which is no answer. */
const PARSED = 12_000

function toRecord(result: JsonObject, job: JsonObject | undefined): AnswerRecord | Rejection {
  const { status_code: status, content } = result
  if (typeof status === 'number' && status !== 200) return { reason: `status_code: found ${status}; wanted 200` }
  if (!isObject(content)) return { reason: `content: found ${describe(content)}; wanted a parsed page (parse: true)` }
  const engine = engineOf(result, content, job)
  const field = TEXT_FIELDS.find((each) => textAt(content, each) !== undefined)
  const answer = engine === 'ai_overviews' ? toOverview(content) : toChatAnswer(content, field)
  const parseStatus = content['parse_status_code']
  if (answer.text === null && typeof parseStatus === 'number' && parseStatus !== PARSED) {
    return { reason: `parse_status_code: found ${parseStatus}; wanted ${PARSED}` }
  }
  return {
    ...answer,
    asked_at: toAskedAt(result['created_at']),
    platform: engine,
    prompt:
      textAt(content, 'prompt') ??
      textAt(content, 'prompt_query') ??
      textAt(objectAt(content, 'search_information'), 'query') ??
      textAt(job, 'query') ??
      textAt(job, 'prompt'),
    provider: 'oxylabs',
    model: textAt(content, 'llm_model') ?? textAt(content, 'model'),
    search_queries: textsAt(content, 'search_queries'),
  }
}

/** By the scraper's name, the page it read, or the fields that only this engine's parser writes. */
function engineOf(result: JsonObject, content: JsonObject, job: JsonObject | undefined): EngineId | undefined {
  if (overviewsOf(content) !== undefined) return 'ai_overviews'
  const source = textAt(result, 'parser_type') ?? textAt(job, 'source') ?? ''
  return (
    SOURCES.get(source) ??
    engineOfUrl(textAt(result, 'url')) ??
    (typeof content['markdown_text'] === 'string' ? 'chatgpt' : undefined) ??
    (typeof content['answer_results_md'] === 'string' ? 'perplexity' : undefined) ??
    (typeof content['response_text'] === 'string' ? 'ai_mode' : undefined)
  )
}

const SOURCES: ReadonlyMap<string, EngineId> = new Map([
  ['chatgpt', 'chatgpt'],
  ['perplexity', 'perplexity'],
  ['gemini', 'gemini'],
  ['google_ai_mode', 'ai_mode'],
  ['google_search', 'ai_overviews'],
  ['google', 'ai_overviews'],
])

function toChatAnswer(content: JsonObject, field: string | undefined): Pick<AnswerRecord, 'text' | 'citations'> {
  const text = field === undefined ? null : (textAt(content, field) ?? null)
  const sources = objectAt(content, 'additional_results')?.['sources_results']
  const cited = content['citations']
  if (!Array.isArray(cited)) return { text, citations: toSources(sources) }
  const titles = new Map(objectsAt(content, 'links').map((link) => [link['url'], link['text']]))
  const links = cited.flatMap(toCitations)
  return { text, citations: defined(links.map((link) => toSource(link.url, link.title ?? titles.get(link.url)))) }
}

/** AI Mode gives the cited passage as `text`, its titles in `links`, and may group a passage's links under `urls`. */
function toCitations(citation: unknown): readonly CitationRecord[] {
  if (isObject(citation) && Array.isArray(citation['urls'])) return toSources(citation['urls'])
  const source = isObject(citation) ? toSource(citation['url'], citation['title']) : toSource(citation, undefined)
  return source ? [source] : []
}
