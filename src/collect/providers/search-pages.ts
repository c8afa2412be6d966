import type { EngineId } from '../../domain/enums.ts'
import { errorAt, isObject, type JsonObject, objectAt, textAt } from '../../import-answers/adapters/json.ts'
import { judgeStatus } from './http-verdict.ts'
import { getJson } from './json-request.ts'
import type { Provider, ProviderRequest, Question, Reply } from './provider.ts'
import { priceOfRequests } from './request-price.ts'

/** A service that reads search engines' pages and names its engines and fields as SerpApi does. */
interface SearchService extends Pick<Provider, 'name' | 'secret' | 'terms' | 'limits'> {
  readonly id: 'serpapi' | 'searchapi'
  readonly defaultBaseUrl: string
  /** What follows the base URL. */
  readonly path: string
  /** Said in every request. */
  readonly always: Readonly<Record<string, string>>
  /** How it writes a language. */
  readonly toLanguage: (language: string) => string
}

const ENGINES: ReadonlyMap<EngineId, string> = new Map([
  ['ai_overviews', 'google'],
  ['ai_mode', 'google_ai_mode'],
  ['copilot', 'bing_copilot'],
])

/** Both say 429 to who is too fast and to who has no searches left. */
const USED_UP = /run out of searches|used all (?:of )?(?:the|your) searches/i

/**
 * A provider of such a service. An AI Overview may come as a token alone, which lives for a minute; it is followed at once,
 * and costs a search more.
 */
export function toSearchPages(service: SearchService): Provider {
  const ask = (question: Question, fields: Readonly<Record<string, string | undefined>>): ProviderRequest =>
    getJson(`${question.target.baseUrl}${service.path}`, { ...fields, ...service.always })
  return {
    id: service.id,
    name: service.name,
    engines: [...ENGINES.keys()],
    secret: service.secret,
    defaultBaseUrl: service.defaultBaseUrl,
    terms: service.terms,
    limits: service.limits,
    refusesMarket: (question) => refusesMarket(question, service.name),
    price: (question) => priceOfRequests(question, question.target.engine === 'ai_overviews' ? 2 : 1),
    toRequest(question) {
      const { prompt, place, target } = question
      return ask(question, {
        engine: ENGINES.get(target.engine),
        q: prompt,
        location: place?.name,
        gl: place && toGl(place.country),
        hl: place && service.toLanguage(place.language),
      })
    },
    classify(reply, { question, parts }) {
      const verdict = judgeStatus(reply, parts, isUsedUp)
      if (verdict) return verdict
      const token = parts.length === 0 ? findPageToken(reply.json) : undefined
      if (token === undefined) return { kind: 'answer' }
      return { kind: 'follow', request: ask(question, { engine: 'google_ai_overview', page_token: token }) }
    },
    cost(parts, question) {
      const { highMicros } = priceOfRequests(question)
      return parts.filter(isBilled).length * highMicros
    },
  }
}

/** Bing's Copilot is asked from where the service stands; Google from any place that it has. */
function refusesMarket({ market, place, target }: Question, name: string): string | undefined {
  if (market === null) return undefined
  if (target.engine === 'copilot')
    return `${name} can't ask Copilot from a place, and the prompt has the market ${market}`
  return place === undefined ? `the market ${market} is no place that ${name} could be told` : undefined
}

/** Google's own code of the United Kingdom is another one than ISO's. */
function toGl(country: string): string {
  return country === 'GB' ? 'uk' : country.toLowerCase()
}

/** The token of an overview that has not come yet. */
function findPageToken(json: unknown): string | undefined {
  const overview = objectAt(isObject(json) ? json : undefined, 'ai_overview')
  return overview === undefined || 'text_blocks' in overview ? undefined : textAt(overview, 'page_token')
}

function isUsedUp({ json }: Reply): boolean {
  return USED_UP.test(errorAt(isObject(json) ? json : undefined) ?? '')
}

/** Searches that failed are free. */
function isBilled(part: unknown): boolean {
  const metadata: JsonObject | undefined = objectAt(isObject(part) ? part : undefined, 'search_metadata')
  return metadata !== undefined && textAt(metadata, 'status') !== 'Error'
}
