import { isObject, objectAt } from '../../import-answers/adapters/json.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import { isQuotaUsedUp } from './openai.ts'
import { judgeStatus } from './http-verdict.ts'
import { postJson } from './json-request.ts'
import type { Provider } from './provider.ts'
import { costOfTokens, countAt, fromUsd, modelOf, priceOfTokens } from './token-price.ts'

const { outputTokens } = boundOfCall('perplexity')

/** Perplexity's Sonar, which searches for every question and says in the payload what it cost. */
export const perplexity: Provider = {
  id: 'perplexity',
  name: 'Perplexity',
  engines: ['perplexity'],
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: 'https://api.perplexity.ai',
  terms:
    'Answers of the API, not of the app; what may be kept and shown stands in its terms. https://www.perplexity.ai/hub/legal/perplexity-api-terms-of-service',
  limits: { concurrency: 16, perMinute: 50 },
  refusesMarket: () => undefined,
  price: (question) => priceOfTokens('perplexity', question),
  toRequest(question) {
    const { prompt, place, target } = question
    const location = place && { city: place.city, region: place.region, country: place.country }
    return postJson(`${target.baseUrl}/chat/completions`, {
      model: modelOf(question),
      messages: [{ role: 'user', content: prompt }],
      max_tokens: outputTokens,
      web_search_options: location && { user_location: location },
    })
  },
  classify: (reply, { parts }) => judgeStatus(reply, parts, isQuotaUsedUp) ?? { kind: 'answer' },
  cost([part], question) {
    const usage = objectAt(isObject(part) ? part : undefined, 'usage')
    const total = fromUsd(objectAt(usage, 'cost')?.['total_cost'])
    if (total !== undefined) return total
    const input = countAt(usage, 'prompt_tokens')
    const output = countAt(usage, 'completion_tokens')
    if (input === undefined || output === undefined) return undefined
    return costOfTokens(priceOfModel('perplexity', modelOf(question)), { input, output, searches: 1 })
  },
}
