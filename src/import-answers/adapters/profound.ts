import type { AnswerRecord, CitationRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isDay } from '../../domain/day.ts'
import { defineAdapter } from './adapter.ts'
import { toAskedAt } from '../asked-at.ts'
import { describe, type JsonObject, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { defined, toSource, toSources } from './sources.ts'

/** Profound's answers rows, one by one or as the `data` of a response (contract/payloads 13). */
export const profound = defineAdapter({
  format: 'profound',
  looksFor: 'response, a string, with model',
  recognises: (payload) => isRow(payload) || objectsAt(payload, 'data').some(isRow),
  toRecords: (payload) => (isRow(payload) ? [toRecord(payload)] : objectsAt(payload, 'data').map(toRecord)),
})

const OWN_FIELDS = ['run_id', 'prompt_id', 'mentions', 'citation_details', 'topic'] as const

function isRow(payload: JsonObject): boolean {
  const { response } = payload
  return (
    (typeof response === 'string' || response === null) &&
    'model' in payload &&
    !('url' in payload) &&
    OWN_FIELDS.some((field) => field in payload)
  )
}

function toRecord(row: JsonObject): AnswerRecord | Rejection {
  if (!isRow(row)) return { reason: `response: found ${describe(row['response'])}; wanted the answer's text` }
  const name = textAt(objectAt(row, 'model'), 'name') ?? textAt(row, 'model')
  const date = textAt(row, 'date')
  const isDate = date !== undefined && isDay(date)
  const prompt = textAt(row, 'prompt')
  return {
    date: isDate ? date : undefined,
    asked_at: toAskedAt(isDate ? row['created_at'] : (date ?? row['created_at'])),
    platform: name === undefined ? undefined : (engineOf(name) ?? name),
    prompt,
    // Profound's own id, which helps only where the operator kept it.
    prompt_id: prompt === undefined ? textAt(row, 'prompt_id') : undefined,
    text: textAt(row, 'response') ?? null,
    citations: toCitations(row),
    mentions: Array.isArray(row['mentions']) ? (textsAt(row, 'mentions') ?? []) : undefined,
    provider: 'profound',
    search_queries: textsAt(row, 'search_queries'),
  }
}

/** Links in the order of `citations`, with the titles that only the details have. */
function toCitations(row: JsonObject): readonly CitationRecord[] {
  const details = objectsAt(row, 'citation_details')
  const links = Array.isArray(row['citations']) ? toSources(row['citations']) : []
  if (links.length === 0) return defined(details.map((detail) => toSource(detail['url'], detail['title'])))
  const titles = new Map(details.map((detail) => [detail['url'], detail['title']]))
  return defined(links.map((link) => toSource(link.url, link.title ?? titles.get(link.url))))
}

/** Display names, whatever their spaces and prefix: `Google AI Overviews`, `ChatGPT`, `Microsoft Copilot`. */
function engineOf(name: string): EngineId | undefined {
  const plain = name
    .toLowerCase()
    .replace(/^(?:google|microsoft|openai|anthropic)\s+/, '')
    .replaceAll(/[\s_-]/g, '')
  return ENGINES.get(plain)
}

const ENGINES: ReadonlyMap<string, EngineId> = new Map([
  ['aioverview', 'ai_overviews'],
  ['aioverviews', 'ai_overviews'],
  ['aimode', 'ai_mode'],
  ['chatgpt', 'chatgpt'],
  ['perplexity', 'perplexity'],
  ['gemini', 'gemini'],
  ['copilot', 'copilot'],
  ['claude', 'claude'],
])
