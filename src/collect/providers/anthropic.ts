import { isObject, type JsonObject, objectAt, textAt } from '../../import-answers/adapters/json.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import { judgeStatus } from './http-verdict.ts'
import { postJson } from './json-request.ts'
import { toUserLocation } from './openai.ts'
import type { Provider, ProviderRequest, Question, Reply, Verdict } from './provider.ts'
import { costOfTokens, countAt, modelOf, priceOfTokens, type TokenUse } from './token-price.ts'

const { searches, outputTokens } = boundOfCall('anthropic')
/** A turn that pauses is gone on with at most so often; then it counts as unfinished. */
const CONTINUATIONS_MAX = 2

/** Anthropic's Messages with web search; a turn that pauses is gone on with, and its parts are kept in order. */
export const anthropic: Provider = {
  id: 'anthropic',
  name: 'Anthropic',
  engines: ['claude'],
  secret: { in: 'header', name: 'x-api-key', prefix: '' },
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  terms:
    'Answers of the API, not of the Claude app; its terms give the customer the output. https://www.anthropic.com/legal/commercial-terms',
  limits: { concurrency: 32, perMinute: 50 },
  refusesMarket: () => undefined,
  price: (question) => priceOfTokens('anthropic', question, 1 + CONTINUATIONS_MAX),
  toRequest: (question) => toRequest(question, []),
  classify(reply, { question, parts }) {
    const verdict = judgeStatus(reply, parts)
    if (verdict) return isOutOfCredit(reply, verdict) ? { kind: 'off', reason: verdict.reason } : verdict
    const message = isObject(reply.json) ? reply.json : undefined
    if (message?.['stop_reason'] !== 'pause_turn' || parts.length >= CONTINUATIONS_MAX) return { kind: 'answer' }
    return { kind: 'follow', request: toRequest(question, [...parts, message]) }
  },
  cost(parts, question) {
    const uses = parts.map((part) => toUse(objectAt(isObject(part) ? part : undefined, 'usage')))
    const known = uses.filter((use) => use !== undefined)
    if (known.length === 0 || known.length < uses.length) return undefined
    return costOfTokens(priceOfModel('anthropic', modelOf(question)), {
      input: known.reduce((sum, { input }) => sum + input, 0),
      output: known.reduce((sum, { output }) => sum + output, 0),
      searches: known.reduce((sum, use) => sum + use.searches, 0),
    })
  },
}

/** The question, with what came of the answer so far as the beginning of the reply. */
function toRequest(question: Question, parts: readonly unknown[]): ProviderRequest {
  const { prompt, place, target } = question
  const said = parts.flatMap((part) =>
    isObject(part) && Array.isArray(part['content']) ? (part['content'] as unknown[]) : [],
  )
  const left = searches - parts.reduce<number>((sum, part) => sum + countSearches(part), 0)
  const tool = { type: 'web_search_20250305', name: 'web_search', max_uses: Math.max(1, left) }
  const body = {
    model: modelOf(question),
    max_tokens: outputTokens,
    messages: [{ role: 'user', content: prompt }, ...(said.length > 0 ? [{ role: 'assistant', content: said }] : [])],
    tools: [{ ...tool, user_location: place && toUserLocation(place) }],
  }
  return postJson(`${target.baseUrl}/messages`, body, { 'anthropic-version': '2023-06-01' })
}

function countSearches(part: unknown): number {
  const usage = objectAt(isObject(part) ? part : undefined, 'usage')
  return countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests') ?? 0
}

/** What is read from or written to a cache counts as input. */
function toUse(usage: JsonObject | undefined): TokenUse | undefined {
  const input = countAt(usage, 'input_tokens')
  const output = countAt(usage, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const cached = ['cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) => countAt(usage, key) ?? 0)
  const found = countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests') ?? 0
  return { input: cached.reduce((sum, count) => sum + count, input), output, searches: found }
}

/** An empty account is a bad request to Anthropic. */
function isOutOfCredit({ json }: Reply, verdict: Verdict): verdict is Verdict & { readonly kind: 'refused' } {
  if (verdict.kind !== 'refused') return false
  const message = textAt(isObject(json) ? objectAt(json, 'error') : undefined, 'message') ?? ''
  return message.includes('credit balance is too low')
}
