import type { EngineId, ProviderId } from '../../domain/enums.ts'
import type { Market } from '../../domain/market.ts'

/** Who is asked for an engine's answers, and with which model; one entry of `scan.json`, checked. */
export interface Target {
  /** As the operator named it: `chatgpt`, `chatgpt-gpt-5.5`. */
  readonly id: string
  readonly engine: EngineId
  readonly provider: ProviderId
  /** Providers that need one have a default in the price catalogue. */
  readonly model: string | undefined
  /** One main target an engine; a shadow's answers are kept and never get into reports. */
  readonly role: 'main' | 'shadow'
  /** The provider's, or the configured one of a gateway; without a final slash. */
  readonly baseUrl: string
  /** Calls under way at once, at most the provider's limit. */
  readonly concurrency: number
}

/** What one call asks. */
export interface Question {
  /** The prompt's text; with a market the text, a space and the market. */
  readonly prompt: string
  /** The prompt's market, else the site's. */
  readonly market: string | null
  /** The market as `data/markets.json` knows it. */
  readonly place: Market | undefined
  readonly target: Target
}

/** A request without its secret, which the sender puts in last. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** Absolute: base URL, path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** Where the secret of a request stands; with `basic` it is `user:password`. */
export type SecretPlace =
  | { readonly in: 'header'; readonly name: string; readonly prefix: string }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'basic' }

/** What a reply means for its call, above all whether something was bought. */
export type Verdict =
  /** This body completes the response. */
  | { readonly kind: 'answer' }
  /** This body is a part; the next one is asked for at once, in the same slot. */
  | { readonly kind: 'follow'; readonly request: ProviderRequest }
  /** Bought; the task is to be polled. */
  | { readonly kind: 'task'; readonly taskId: string }
  /** A polled task isn't ready. */
  | { readonly kind: 'pending'; readonly afterMs: number }
  /** This request bought nothing; it may succeed later. A follow-up is sent again alone, the request before it is not. */
  | { readonly kind: 'retry'; readonly afterMs?: number | undefined }
  /** Nothing was bought, and this call can't succeed. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was bought, and no call of this provider will succeed. */
  | { readonly kind: 'off'; readonly reason: string }
  /** It may have been bought. */
  | { readonly kind: 'uncertain'; readonly reason: string }

/** What came for a request, whole. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** The parsed body; undefined when it isn't JSON. */
  readonly json: unknown
}

/** What a reply belongs to. */
export interface Asked {
  readonly question: Question
  /** The JSON bodies kept before this one: those of the requests that this one followed. */
  readonly parts: readonly unknown[]
  /** Of a reply to `poll`: its task, which is bought whatever the reply says. */
  readonly taskId?: string | undefined
}

/** What one call costs, in micro-dollars. The budget reserves the high bound, which no call exceeds. */
export interface PriceRange {
  readonly lowMicros: number
  readonly highMicros: number
}

/** How one provider is asked. Pure: the sender alone has the socket and the secret. */
export interface Provider {
  readonly id: ProviderId
  readonly name: string
  readonly engines: readonly EngineId[]
  readonly secret: SecretPlace
  /** `custom` has none. */
  readonly defaultBaseUrl: string | undefined
  /** What its terms say of automated questions and of keeping answers, one line with its link. */
  readonly terms: string
  readonly limits: { readonly concurrency: number; readonly perMinute: number }
  /** Why this market can't be said to the provider; undefined when it can. Another market is never asked instead. */
  refusesMarket(question: Question): string | undefined
  /** By `data/provider_prices.json`. */
  price(question: Question): PriceRange
  toRequest(question: Question): ProviderRequest
  /** The verdict on a reply to `toRequest`, to a follow-up, or to `poll`. */
  classify(reply: Reply, asked: Asked): Verdict
  /** The request that asks whether a task is ready, and brings its result when it is. */
  poll?(taskId: string, question: Question): ProviderRequest
  /**
   * What the kept parts really cost in micro-dollars: the payload's own figure, else tokens × price. Undefined when it can't be
   * told; the high bound is then settled.
   */
  cost(parts: readonly unknown[], question: Question): number | undefined
}
