import type { ProviderId } from '../../domain/enums.ts'
import type { JsonObject } from '../../import-answers/adapters/json.ts'
import { boundOfCall, defaultModel, type ModelPrice, priceOfModel } from '../../reference/provider-prices.ts'
import type { PriceRange, Question } from './provider.ts'

/** What the vendor itself adds to a question: the description of its search tool and how to cite. */
const OVERHEAD_TOKENS = 2_000
/** What an answer has at least that is worth asking for; the low bound only. */
const SHORT_ANSWER_TOKENS = 600
/** A token has at least a byte; most have four. */
const BYTES_PER_TOKEN = 4

/** What a call used, as a payload says it. */
export interface TokenUse {
  readonly input: number
  readonly output: number
  readonly searches: number
}

/** The model that is asked: the target's, else the provider's default. */
export function modelOf({ target }: Question): string {
  return target.model ?? defaultModel(target.provider)
}

/**
 * What a call to a model costs. High: every search that the request allows is made and adds its most, each later step reads
 * all of that again, and every answer is as long as allowed; `requests` are the question and what may follow it. Low: one
 * search that adds a quarter of its most, and a short answer.
 */
export function priceOfTokens(id: ProviderId, question: Question, requests = 1): PriceRange {
  const price = priceOfModel(id, question.target.model ?? (id === 'custom' ? '*' : defaultModel(id)))
  const { searches: allowed, searchTokens, outputTokens } = boundOfCall(id)
  // A request that goes on may search once at least, also when the searches are used up.
  const searches = allowed + requests - 1
  const bytes = Buffer.byteLength(question.prompt)
  const asked = OVERHEAD_TOKENS + bytes
  const firstTime = (searches + 1) * asked + (searchTokens * searches * (searches + 1)) / 2
  const again = (requests - 1) * (asked + searches * searchTokens)
  const high = { input: firstTime + again, output: requests * outputTokens, searches }
  const low = {
    input: bytes / BYTES_PER_TOKEN + searchTokens / 4,
    output: SHORT_ANSWER_TOKENS,
    searches: Math.min(1, allowed),
  }
  return { lowMicros: toMicros(price, low), highMicros: toMicros(price, high) }
}

/** The cost of what was used; undefined where that is no amount. */
export function costOfTokens(price: ModelPrice, use: TokenUse): number | undefined {
  return toAmount(toMicros(price, use))
}

/** USD that a payload says, as micro-dollars; undefined where that is no amount. */
export function fromUsd(usd: unknown): number | undefined {
  return typeof usd === 'number' ? toAmount(Math.ceil(usd * 1_000_000)) : undefined
}

/** How many there are of something, by a payload; undefined where it doesn't say. */
export function countAt(json: JsonObject | undefined, key: string): number | undefined {
  const count = json?.[key]
  return typeof count === 'number' && count >= 0 ? count : undefined
}

function toAmount(micros: number): number | undefined {
  return Number.isSafeInteger(micros) && micros >= 0 ? micros : undefined
}

/** USD per million tokens are micro-dollars per token. */
export function toMicros(price: ModelPrice, { input, output, searches }: TokenUse): number {
  return Math.ceil(input * price.input + output * price.output + searches * price.search * 1_000)
}
