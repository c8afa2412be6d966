import * as v from 'valibot'
import content from '../../data/provider_prices.json' with { type: 'json' }
import { ENGINE_IDS, type EngineId, PROVIDER_IDS, type ProviderId } from '../domain/enums.ts'
import { HEAD, parseCatalogue, SOURCED } from './catalogue.ts'

/** What a model costs: USD per million tokens, and per 1,000 searches. */
export interface ModelPrice {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly search: number
}

/** What a call can grow to at most (`bounds` of data/provider_prices.json). */
export interface CallBound {
  readonly searches: number
  /** Input tokens that one search adds. */
  readonly searchTokens: number
  readonly outputTokens: number
}

/** What a request to a service costs, in USD per 1,000. */
export interface RequestPrice {
  readonly low: number
  readonly high: number
}

const usd = v.pipe(v.number(), v.minValue(0))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const provider = v.picklist(PROVIDER_IDS)

const priceFile = v.strictObject({
  ...HEAD,
  models: v.array(
    v.strictObject({
      provider,
      model: v.pipe(v.string(), v.nonEmpty()),
      input: usd,
      output: usd,
      search: usd,
      default: v.optional(v.literal(true)),
      ...SOURCED,
    }),
  ),
  requests: v.array(v.strictObject({ provider, engine: v.picklist(ENGINE_IDS), low: usd, high: usd, ...SOURCED })),
  bounds: v.array(
    v.strictObject({ provider, searches: count, search_tokens: count, output_tokens: count, ...SOURCED }),
  ),
})

const file = parseCatalogue('provider_prices.json', priceFile, content)

/** Whether a target of the provider has a model. */
export function hasModels(id: ProviderId): boolean {
  return file.models.some((each) => each.provider === id)
}

/** The model that is asked where a target names none. Throws an Error for a provider without models. */
export function defaultModel(id: ProviderId): string {
  const entry = file.models.find((each) => each.provider === id && each.default === true)
  if (entry === undefined) throw new Error(`data/provider_prices.json names no default model of ${id}`)
  return entry.model
}

/**
 * The price of a provider's model, also under the name of a snapshot (`gpt-5.5-2026-04-23`). A model that no entry has
 * costs what the provider's dearest does; one of a gateway what any vendor's model of that name does.
 */
export function priceOfModel(id: ProviderId, model: string): ModelPrice {
  const names = [model, model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')]
  if (id === 'custom') names.push(...names.map((name) => name.slice(name.lastIndexOf('/') + 1)))
  const own = file.models.filter((each) => each.provider === id || id === 'custom')
  const known = own.find((each) => names.includes(each.model))
  if (known) return known
  const others = file.models.filter((each) => each.provider === id)
  const [dearest] = others.toSorted((a, b) => b.output - a.output)
  if (dearest === undefined) throw new Error(`data/provider_prices.json has no model of ${id}`)
  return dearest
}

/** What a call to a provider's models can grow to. Throws an Error for a provider without models. */
export function boundOfCall(id: ProviderId): CallBound {
  const entry = file.bounds.find((each) => each.provider === id)
  if (entry === undefined) throw new Error(`data/provider_prices.json has no bounds of ${id}`)
  return { searches: entry.searches, searchTokens: entry.search_tokens, outputTokens: entry.output_tokens }
}

/** What one request for an engine costs. Throws an Error for an engine that the provider isn't asked for. */
export function priceOfRequest(id: ProviderId, engine: EngineId): RequestPrice {
  const entry = file.requests.find((each) => each.provider === id && each.engine === engine)
  if (entry === undefined) throw new Error(`data/provider_prices.json has no price of ${engine} by ${id}`)
  return entry
}
