import type { EngineId } from '../../domain/enums.ts'
import { isObject, textAt } from '../../import-answers/adapters/json.ts'
import { judgePoll, judgeStatus } from './http-verdict.ts'
import { getJson, postJson } from './json-request.ts'
import type { Provider, Question, Verdict } from './provider.ts'
import { priceOfRequests } from './request-price.ts'

interface Scraper {
  readonly dataset: string
  /** The page that is asked. */
  readonly url: string
  /** Fields that only this scraper has. */
  readonly inputs?: Readonly<Record<string, unknown>>
}

/** https://docs.brightdata.com/left-over/ai-scrapers; a search is allowed where that can be said. */
const SCRAPERS: ReadonlyMap<EngineId, Scraper> = new Map([
  ['chatgpt', { dataset: 'gd_m7aof0k82r803d5bjm', url: 'https://chatgpt.com/', inputs: { web_search: true } }],
  ['perplexity', { dataset: 'gd_m7dhdot1vw9a7gc1n', url: 'https://www.perplexity.ai/' }],
  ['gemini', { dataset: 'gd_mbz66arm2mf9cu856y', url: 'https://gemini.google.com/' }],
  ['copilot', { dataset: 'gd_m7di5jy6s9geokz8w', url: 'https://copilot.microsoft.com/chats' }],
  ['ai_mode', { dataset: 'gd_mcswdt6z2elth3zqr2', url: 'https://google.com/aimode' }],
])

const POLL_MS = 10_000

/** Bright Data's scrapers of chat engines: a collection is triggered, its snapshot asked for until it is there. */
export const brightdata: Provider = {
  id: 'brightdata',
  name: 'Bright Data',
  engines: [...SCRAPERS.keys()],
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: 'https://api.brightdata.com',
  terms: 'Reads the public pages of chat engines; their terms and its own apply. https://brightdata.com/license',
  limits: { concurrency: 30, perMinute: 60 },
  refusesMarket({ market, place }) {
    if (market === null) return undefined
    if (place === undefined) return `the market ${market} is no place that Bright Data could be told`
    return place.city === undefined ? undefined : `Bright Data asks from countries, and ${market} is a city`
  },
  price: (question) => priceOfRequests(question),
  toRequest({ prompt, place, target }) {
    const { dataset, url, inputs } = getScraper(target.engine)
    const query = `dataset_id=${dataset}&include_errors=true&format=json`
    return postJson(`${target.baseUrl}/datasets/v3/trigger?${query}`, [
      { url, prompt, country: place?.country.toLowerCase(), ...inputs },
    ])
  },
  classify(reply, { parts, taskId }): Verdict {
    const verdict = taskId === undefined ? judgeStatus(reply, parts) : judgePoll(reply)
    if (verdict) return verdict
    const { json } = reply
    if (!isObject(json)) return { kind: 'answer' }
    const snapshot = textAt(json, 'snapshot_id')
    if (taskId === undefined) {
      return snapshot === undefined
        ? { kind: 'uncertain', reason: 'a reply without a snapshot_id' }
        : { kind: 'task', taskId: snapshot }
    }
    // A row has a prompt; a snapshot that isn't ready says how far it is, and one that failed is kept, since it says why.
    const status = 'prompt' in json ? undefined : textAt(json, 'status')
    return status === undefined || status === 'failed' || status === 'ready'
      ? { kind: 'answer' }
      : { kind: 'pending', afterMs: POLL_MS }
  },
  poll: (taskId, { target }: Question) =>
    getJson(`${target.baseUrl}/datasets/v3/snapshot/${encodeURIComponent(taskId)}`, { format: 'json' }),
  // No row says what it cost.
  cost: () => undefined,
}

/** Throws an Error for an engine that Bright Data isn't asked for. */
function getScraper(engine: EngineId): Scraper {
  const scraper = SCRAPERS.get(engine)
  if (scraper === undefined) throw new Error(`Bright Data is not asked for ${engine}`)
  return scraper
}
