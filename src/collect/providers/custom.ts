import { ENGINE_IDS } from '../../domain/enums.ts'
import { isObject, type JsonObject, objectAt } from '../../import-answers/adapters/json.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import { judgeStatus } from './http-verdict.ts'
import { postJson } from './json-request.ts'
import { isQuotaUsedUp, toResponsesBody, usedByResponse } from './openai.ts'
import type { Provider } from './provider.ts'
import { costOfTokens, countAt, fromUsd, priceOfTokens, type TokenUse } from './token-price.ts'

const { outputTokens } = boundOfCall('custom')

/**
 * Any server that speaks OpenAI's API: a gateway, or models of one's own. An address that ends in `/responses` is asked by
 * the Responses API with web search, any other by chat completions, which have no search of their own.
 */
export const custom: Provider = {
  id: 'custom',
  name: 'a gateway with OpenAI’s API',
  engines: ENGINE_IDS,
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: undefined,
  terms: 'Those of the server that is asked, and of the vendor behind it.',
  limits: { concurrency: 64, perMinute: 600 },
  refusesMarket: () => undefined,
  price: (question) => priceOfTokens('custom', question),
  toRequest(question) {
    const { prompt, target } = question
    if (target.baseUrl.endsWith('/responses')) return postJson(target.baseUrl, toResponsesBody(question, target.model))
    const url = target.baseUrl.endsWith('/chat/completions') ? target.baseUrl : `${target.baseUrl}/chat/completions`
    return postJson(url, {
      model: target.model,
      messages: [{ role: 'user', content: prompt }],
      max_tokens: outputTokens,
    })
  },
  classify: (reply, { parts }) => judgeStatus(reply, parts, isQuotaUsedUp) ?? { kind: 'answer' },
  cost([part], question) {
    const usage = objectAt(isObject(part) ? part : undefined, 'usage')
    // Routers say what they charge.
    const charged = fromUsd(usage?.['cost'])
    if (charged !== undefined) return charged
    const use = usedByResponse(part) ?? usedByCompletion(usage)
    return use && costOfTokens(priceOfModel('custom', question.target.model ?? '*'), use)
  },
}

function usedByCompletion(usage: JsonObject | undefined): TokenUse | undefined {
  const input = countAt(usage, 'prompt_tokens')
  const output = countAt(usage, 'completion_tokens')
  return input === undefined || output === undefined ? undefined : { input, output, searches: 0 }
}
