import type { EngineId } from '../../domain/enums.ts'
import { isObject, type JsonObject, objectsAt, textAt } from '../../import-answers/adapters/json.ts'
import { judgePoll, judgeStatus, retryAfterMs } from './http-verdict.ts'
import { getJson, postJson } from './json-request.ts'
import type { Provider, Question, Reply, Verdict } from './provider.ts'
import { priceOfRequests } from './request-price.ts'
import { fromUsd } from './token-price.ts'

/** The API of an engine, below `/v3/`. */
const APIS: ReadonlyMap<EngineId, string> = new Map([
  ['ai_overviews', 'serp/google/organic'],
  ['ai_mode', 'serp/google/ai_mode'],
  ['chatgpt', 'ai_optimization/chat_gpt/llm_scraper'],
  ['gemini', 'ai_optimization/gemini/llm_scraper'],
])

/** Status codes of a task: https://docs.dataforseo.com/v3/appendix/errors/ */
const DONE = 20_000
const CREATED = 20_100
const WAITING: ReadonlySet<number> = new Set([CREATED, 40_601, 40_602])
const TOO_FAST: ReadonlySet<number> = new Set([40_202, 40_209])
const CLOSED: ReadonlySet<number> = new Set([40_100, 40_103, 40_104, 40_200, 40_201, 40_203, 40_204, 40_210])
const POLL_MS = 15_000

/** DataForSEO's standard queue: a task is posted, then asked for until it is done. */
export const dataforseo: Provider = {
  id: 'dataforseo',
  name: 'DataForSEO',
  engines: [...APIS.keys()],
  secret: { in: 'basic' },
  defaultBaseUrl: 'https://api.dataforseo.com',
  terms:
    'Reads the public pages of search and chat engines; their terms and its own apply. https://dataforseo.com/terms-of-service',
  limits: { concurrency: 30, perMinute: 600 },
  refusesMarket({ market, place }) {
    if (market === null) return 'DataForSEO asks from a place: give the prompt or the site a market'
    return place === undefined ? `the market ${market} is no place that DataForSEO could be told` : undefined
  },
  price: (question) => priceOfRequests(question),
  toRequest(question) {
    const { prompt, place, target } = question
    const location =
      place?.locationCode === undefined ? { location_name: place?.name } : { location_code: place.locationCode }
    const overview = target.engine === 'ai_overviews' ? { depth: 10, load_async_ai_overview: true } : {}
    const task = { keyword: toKeyword(prompt), ...location, language_code: place?.language, ...overview }
    return postJson(`${toBase(question)}/task_post`, [task])
  },
  classify: (reply, { parts, taskId }) => (taskId === undefined ? judgePost(reply, parts) : judgeGet(reply)),
  poll: (taskId, question) => getJson(`${toBase(question)}/task_get/advanced/${encodeURIComponent(taskId)}`),
  cost([part], question) {
    const { lowMicros, highMicros } = priceOfRequests(question)
    const task = findTask(part)
    if (task === undefined) return undefined
    // What a task cost is said when it is posted; when it is read it costs nothing more.
    const said = fromUsd(task['cost'])
    if (said !== undefined && said > 0) return said
    if (question.target.engine !== 'ai_overviews') return highMicros
    const items = objectsAt(task, 'result').flatMap((result) => objectsAt(result, 'items'))
    return items.some((item) => item['type'] === 'ai_overview') ? highMicros : lowMicros
  },
}

function toBase({ target }: Question): string {
  return `${target.baseUrl}/v3/${APIS.get(target.engine) ?? ''}`
}

/** DataForSEO decodes a keyword as part of an address: https://docs.dataforseo.com/v3/serp/google/ai_mode/task_post/ */
function toKeyword(prompt: string): string {
  return prompt.replaceAll('%', '%25').replaceAll('+', '%2B')
}

function judgePost(reply: Reply, parts: readonly unknown[]): Verdict {
  const verdict = judgeStatus(reply, parts)
  if (verdict) return verdict
  const task = findTask(reply.json)
  const { code, reason } = toStatus(task ?? reply.json)
  const taskId = textAt(task, 'id')
  if (code === CREATED && taskId !== undefined) return { kind: 'task', taskId }
  // A gateway may wait for the task itself.
  if (code === DONE && task?.['result']) return { kind: 'answer' }
  if (code === undefined) return { kind: 'uncertain', reason: 'a reply without the status of a task' }
  if (TOO_FAST.has(code)) return { kind: 'retry', afterMs: retryAfterMs(reply.headers) }
  if (CLOSED.has(code)) return { kind: 'off', reason }
  return { kind: code >= 40_000 && code < 50_000 ? 'refused' : 'uncertain', reason }
}

function judgeGet(reply: Reply): Verdict {
  const verdict = judgePoll(reply)
  if (verdict) return verdict
  const { code, reason } = toStatus(findTask(reply.json) ?? reply.json)
  if (code === undefined) return { kind: 'uncertain', reason: 'a reply without the status of a task' }
  if (WAITING.has(code) || TOO_FAST.has(code)) return { kind: 'pending', afterMs: POLL_MS }
  if (CLOSED.has(code) || (code >= 40_400 && code < 40_500)) return { kind: 'uncertain', reason }
  // A task that failed is kept as it is: it says why there is no answer.
  return { kind: 'answer' }
}

function findTask(json: unknown): JsonObject | undefined {
  return objectsAt(isObject(json) ? json : undefined, 'tasks')[0]
}

function toStatus(json: unknown): { readonly code: number | undefined; readonly reason: string } {
  const { status_code: code, status_message: message } = isObject(json) ? json : {}
  return typeof code === 'number'
    ? { code, reason: `${code}: ${typeof message === 'string' ? message.slice(0, 300) : 'no message'}` }
    : { code: undefined, reason: '' }
}
