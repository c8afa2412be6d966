import { type JsonObject, isObject, objectAt, objectsAt } from '../../import-answers/adapters/json.ts'
import type { Market } from '../../domain/market.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import { judgeStatus } from './http-verdict.ts'
import { postJson } from './json-request.ts'
import type { Provider, Question, Reply } from './provider.ts'
import { costOfTokens, countAt, modelOf, priceOfTokens, type TokenUse } from './token-price.ts'

const { searches, outputTokens } = boundOfCall('openai')

/** OpenAI's Responses API with web search: allowed, not forced; no system prompt, nothing stored there. */
export const openai: Provider = {
  id: 'openai',
  name: 'OpenAI',
  engines: ['chatgpt'],
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: 'https://api.openai.com/v1',
  terms:
    'Answers of the API, not of the ChatGPT app; its terms give the customer the output. https://openai.com/policies/services-agreement/',
  limits: { concurrency: 32, perMinute: 60 },
  refusesMarket: () => undefined,
  price: (question) => priceOfTokens('openai', question),
  toRequest: (question) =>
    postJson(`${question.target.baseUrl}/responses`, toResponsesBody(question, modelOf(question))),
  classify: (reply, { parts }) => judgeStatus(reply, parts, isQuotaUsedUp) ?? { kind: 'answer' },
  cost([part], question) {
    const use = usedByResponse(part)
    return use && costOfTokens(priceOfModel('openai', modelOf(question)), use)
  },
}

/** The body of a request to a Responses API that has OpenAI's web search. */
export function toResponsesBody({ prompt, place }: Question, model: string | undefined): JsonObject {
  return {
    model,
    input: prompt,
    tools: [{ type: 'web_search', user_location: place && toUserLocation(place) }],
    max_tool_calls: searches,
    max_output_tokens: outputTokens,
    include: ['web_search_call.action.sources'],
    store: false,
  }
}

/** A place as OpenAI and Anthropic take it. */
export function toUserLocation({ city, region, country, timeZone }: Market): JsonObject {
  return { type: 'approximate', city, region, country, timezone: timeZone }
}

/** What a response used; only `search` actions are billed, not the pages that are opened. Undefined when it doesn't say. */
export function usedByResponse(part: unknown): TokenUse | undefined {
  const response = isObject(part) ? part : undefined
  const usage = objectAt(response, 'usage')
  const input = countAt(usage, 'input_tokens')
  const output = countAt(usage, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const calls = objectsAt(response, 'output').filter((item) => item['type'] === 'web_search_call')
  const billed = calls.filter((call) => (objectAt(call, 'action')?.['type'] ?? 'search') === 'search')
  return { input, output, searches: billed.length }
}

/** OpenAI says 429 to who is too fast and to who has no credit left. */
export function isQuotaUsedUp({ json }: Reply): boolean {
  const error = isObject(json) ? objectAt(json, 'error') : undefined
  return ['code', 'type'].some((key) => error?.[key] === 'insufficient_quota')
}
