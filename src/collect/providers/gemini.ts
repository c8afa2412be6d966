import { isObject, type JsonObject, objectAt, objectsAt, textAt, textsAt } from '../../import-answers/adapters/json.ts'
import { boundOfCall, priceOfModel } from '../../reference/provider-prices.ts'
import { judgeStatus, toReason } from './http-verdict.ts'
import { postJson } from './json-request.ts'
import type { Provider, Reply } from './provider.ts'
import { costOfTokens, countAt, modelOf, priceOfTokens } from './token-price.ts'

const { outputTokens } = boundOfCall('gemini')

/** Google's `generateContent` with Google Search. It has no field for a place, so the market stands in the question alone. */
export const gemini: Provider = {
  id: 'gemini',
  name: 'Google Gemini',
  engines: ['gemini'],
  secret: { in: 'header', name: 'x-goog-api-key', prefix: '' },
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  terms:
    'Answers of the API, not of the Gemini app; grounded ones have rules of their own on keeping and showing them. https://ai.google.dev/gemini-api/terms#grounding-with-google-search',
  limits: { concurrency: 32, perMinute: 60 },
  refusesMarket: () => undefined,
  price: (question) => priceOfTokens('gemini', question),
  toRequest(question) {
    const body = {
      contents: [{ role: 'user', parts: [{ text: question.prompt }] }],
      tools: [{ google_search: {} }],
      generationConfig: { maxOutputTokens: outputTokens },
    }
    const model = encodeURIComponent(modelOf(question))
    return postJson(`${question.target.baseUrl}/models/${model}:generateContent`, body)
  },
  classify(reply, { parts }) {
    const details = objectsAt(objectAt(isObject(reply.json) ? reply.json : undefined, 'error'), 'details')
    // A wrong key is a bad request to Google.
    const isKeyWrong = reply.status === 400 && details.some((detail) => detail['reason'] === 'API_KEY_INVALID')
    if (isKeyWrong) return { kind: 'off', reason: toReason(reply) }
    const verdict = judgeStatus(reply, parts, isDayUsedUp) ?? { kind: 'answer' as const }
    return verdict.kind === 'retry' ? { kind: 'retry', afterMs: verdict.afterMs ?? toDelayMs(details) } : verdict
  },
  cost([part], question) {
    const response = isObject(part) ? part : undefined
    const usage = objectAt(response, 'usageMetadata')
    if (usage === undefined || countAt(usage, 'promptTokenCount') === undefined) return undefined
    const grounding = objectAt(objectsAt(response, 'candidates')[0], 'groundingMetadata')
    return costOfTokens(priceOfModel('gemini', modelOf(question)), {
      input: sum(usage, ['promptTokenCount', 'toolUsePromptTokenCount']),
      output: sum(usage, ['candidatesTokenCount', 'thoughtsTokenCount']),
      searches: textsAt(grounding, 'webSearchQueries')?.length ?? 0,
    })
  },
}

function sum(usage: JsonObject, keys: readonly string[]): number {
  return keys.reduce((total, key) => total + (countAt(usage, key) ?? 0), 0)
}

/** A quota of a day comes back after the run; one of a minute is waited for. */
function isDayUsedUp({ json }: Reply): boolean {
  const details = objectsAt(objectAt(isObject(json) ? json : undefined, 'error'), 'details')
  return details
    .flatMap((detail) => objectsAt(detail, 'violations'))
    .some(({ quotaId }) => /PerDay/.test(String(quotaId)))
}

/** `retryDelay` of Google's RetryInfo, `34s` or `1.5s`. */
function toDelayMs(details: readonly JsonObject[]): number | undefined {
  const delays = details.map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(textAt(detail, 'retryDelay') ?? '')?.[1])
  const seconds = Number(delays.find((delay) => delay !== undefined))
  return Number.isFinite(seconds) ? Math.ceil(seconds * 1_000) : undefined
}
