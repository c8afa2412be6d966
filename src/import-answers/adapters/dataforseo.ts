import type { AnswerRecord } from '../../domain/answer.ts'
import type { EngineId } from '../../domain/enums.ts'
import type { Rejection } from '../../domain/rejection.ts'
import { isRejection } from '../../domain/rejection.ts'
import { defineAdapter } from './adapter.ts'
import { engineOfUrl } from './engine-of-url.ts'
import { isLlmResponse, toLlmResponse } from './dataforseo-llm-response.ts'
import { isLlmScrape, toLlmScrape } from './dataforseo-llm-scrape.ts'
import { isSerp, toSerpAnswer } from './dataforseo-serp.ts'
import { describe, type JsonObject, objectAt, objectsAt, textAt } from './json.ts'
import { engineOfModel } from './model-family.ts'

/** DataForSEO's responses, one record for each result of each task, or a result on its own (contract/payloads 10). */
export const dataforseo = defineAdapter({
  format: 'dataforseo',
  looksFor: 'tasks[].result[]',
  recognises: (payload) => isResponse(payload) || isTask(payload) || isResult(payload),
  toRecords(payload) {
    if (isResult(payload)) return [toRecord(payload, undefined)]
    if (isTask(payload)) return toRecordsOfTask(payload)
    const tasks = objectsAt(payload, 'tasks')
    return tasks.length > 0 ? tasks.flatMap(toRecordsOfTask) : [{ reason: `tasks is empty${toStatus(payload)}` }]
  },
})

function isResponse(payload: JsonObject): boolean {
  return typeof payload['status_code'] === 'number' && 'tasks' in payload
}

function isTask(payload: JsonObject): boolean {
  return typeof payload['status_code'] === 'number' && 'result' in payload
}

/** A result without its task: the shape alone is not enough, others have Markdown with sources too. */
function isResult(payload: JsonObject): boolean {
  if (!OWN_FIELDS.some((field) => field in payload)) return false
  return isLlmScrape(payload) || isLlmResponse(payload) || isSerp(payload)
}

const OWN_FIELDS = ['keyword', 'datetime', 'se_domain', 'check_url', 'model_name', 'money_spent'] as const

/** DataForSEO's code for a task that was carried out; every other says why there is no result, or not yet. */
const OK = 20_000

function toRecordsOfTask(task: JsonObject): (AnswerRecord | Rejection)[] {
  if (task['status_code'] !== OK) return [{ reason: `the task holds no result${toStatus(task)}` }]
  const results = objectsAt(task, 'result')
  if (results.length === 0) return [{ reason: 'the task holds no result: result is empty' }]
  return results.map((result) => toRecord(result, task))
}

function toStatus(part: JsonObject): string {
  return `: status_code ${describe(part['status_code'])} ${textAt(part, 'status_message') ?? ''}`.trimEnd()
}

function toRecord(result: JsonObject, task: JsonObject | undefined): AnswerRecord | Rejection {
  const answer = toAnswer(result)
  if (isRejection(answer)) return answer
  const data = objectAt(task, 'data')
  return {
    ...answer,
    platform: engineOfTask(task) ?? answer.platform ?? engineOfModel(answer.model) ?? engineOfUrl(pageOf(result)),
    prompt: textAt(result, 'keyword') ?? textAt(data, 'keyword') ?? textAt(data, 'user_prompt'),
    provider: 'dataforseo',
  }
}

/** Which of the three products a result is from; `markdown` or `sources` beside `items` is the mark of the scraped page. */
function toAnswer(result: JsonObject): AnswerRecord | Rejection {
  if (isLlmScrape(result)) return toLlmScrape(result)
  if (isLlmResponse(result)) return toLlmResponse(result)
  if (isSerp(result)) return toSerpAnswer(result)
  return { reason: 'result: found neither items of an AI Overview, nor items of sections, nor markdown with sources' }
}

function pageOf(result: JsonObject): string | undefined {
  return textAt(result, 'check_url')
}

/** The engine by the endpoint that was called, which a task repeats as `path` and as `data`. */
function engineOfTask(task: JsonObject | undefined): EngineId | undefined {
  const path = task?.['path']
  const data = objectAt(task, 'data')
  const names = new Set<unknown>([...(Array.isArray(path) ? path : []), data?.['se'], data?.['function']])
  return ENDPOINTS.find(([name]) => names.has(name))?.[1]
}

const ENDPOINTS: readonly (readonly [string, EngineId])[] = [
  ['ai_mode', 'ai_mode'],
  ['organic', 'ai_overviews'],
  ['chat_gpt', 'chatgpt'],
  ['claude', 'claude'],
  ['gemini', 'gemini'],
  ['perplexity', 'perplexity'],
]
