import type { EngineId } from '../../domain/enums.ts'
import { isObject, textAt } from '../../import-answers/adapters/json.ts'
import { judgePoll, judgeStatus } from './http-verdict.ts'
import { getJson, postJson } from './json-request.ts'
import type { Provider, Question, Verdict } from './provider.ts'
import { priceOfRequests } from './request-price.ts'

interface Source {
  readonly source: string
  /** The field of the question. */
  readonly field: 'prompt' | 'query'
  /** Google's pages need a browser, and are asked from cities too. */
  readonly isGoogle: boolean
}

/** https://developers.oxylabs.io/ , Web Scraper API. */
const SOURCES: ReadonlyMap<EngineId, Source> = new Map([
  ['chatgpt', { source: 'chatgpt', field: 'prompt', isGoogle: false }],
  ['perplexity', { source: 'perplexity', field: 'prompt', isGoogle: false }],
  ['ai_mode', { source: 'google_ai_mode', field: 'query', isGoogle: true }],
  ['ai_overviews', { source: 'google_search', field: 'query', isGoogle: true }],
])

const POLL_MS = 5_000

/** Oxylabs by push-pull: a query is pushed, its job asked for until it is done, and the results fetched at once. */
export const oxylabs: Provider = {
  id: 'oxylabs',
  name: 'Oxylabs',
  engines: [...SOURCES.keys()],
  secret: { in: 'basic' },
  defaultBaseUrl: 'https://data.oxylabs.io',
  terms: 'Reads the public pages of search and chat engines; their terms and its own apply. https://oxylabs.io/legal',
  limits: { concurrency: 30, perMinute: 60 },
  refusesMarket({ market, place, target }) {
    if (market === null) return undefined
    if (place === undefined) return `the market ${market} is no place that Oxylabs could be told`
    const isCity = place.city !== undefined && !getSource(target.engine).isGoogle
    return isCity ? `Oxylabs asks ${target.engine} from countries, and ${market} is a city` : undefined
  },
  price: (question) => priceOfRequests(question),
  toRequest(question) {
    const { prompt, place, target } = question
    const { source, field, isGoogle } = getSource(target.engine)
    const render = isGoogle ? 'html' : undefined
    return postJson(toUrl(question), { source, [field]: prompt, parse: true, render, geo_location: place?.name })
  },
  classify(reply, { question, parts, taskId }): Verdict {
    const verdict = taskId === undefined ? judgeStatus(reply, parts) : judgePoll(reply)
    if (verdict) return verdict
    const job = isObject(reply.json) ? reply.json : undefined
    // What came after a job is its results.
    if (parts.length > 0 || Array.isArray(job?.['results'])) return { kind: 'answer' }
    const id = textAt(job, 'id')
    if (taskId === undefined) {
      return id === undefined
        ? { kind: 'uncertain', reason: 'a reply without the id of a job' }
        : { kind: 'task', taskId: id }
    }
    const status = textAt(job, 'status')
    if (status === 'done') return { kind: 'follow', request: getJson(`${toUrl(question, taskId)}/results`) }
    // A job that failed is kept as it is: it says why there is no answer.
    return status === 'faulted' ? { kind: 'answer' } : { kind: 'pending', afterMs: POLL_MS }
  },
  poll: (taskId, question) => getJson(toUrl(question, taskId)),
  // No result says what it cost.
  cost: () => undefined,
}

function toUrl({ target }: Question, taskId?: string): string {
  const jobs = `${target.baseUrl}/v1/queries`
  return taskId === undefined ? jobs : `${jobs}/${encodeURIComponent(taskId)}`
}

/** Throws an Error for an engine that Oxylabs isn't asked for. */
function getSource(engine: EngineId): Source {
  const source = SOURCES.get(engine)
  if (source === undefined) throw new Error(`Oxylabs is not asked for ${engine}`)
  return source
}
