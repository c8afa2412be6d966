import type { EngineId } from '../domain/enums.ts'

/** Who fetches the pages that the answers of an engine stand on. */
export interface CrawlerProvider {
  /** As the bots report names it. */
  readonly id: string
  readonly name: string
  /**
   * Names of the bot catalogue. Crawlers that only collect training data are not among them: shutting those out keeps a
   * page out of no answer.
   */
  readonly crawlers: readonly string[]
}

const GOOGLE: CrawlerProvider = { id: 'google', name: 'Google', crawlers: ['Googlebot'] }
const OPENAI: CrawlerProvider = { id: 'openai', name: 'OpenAI', crawlers: ['OAI-SearchBot', 'ChatGPT-User'] }
const PERPLEXITY: CrawlerProvider = {
  id: 'perplexity',
  name: 'Perplexity',
  crawlers: ['PerplexityBot', 'Perplexity-User'],
}
const MICROSOFT: CrawlerProvider = { id: 'microsoft', name: 'Microsoft', crawlers: ['bingbot'] }
const ANTHROPIC: CrawlerProvider = {
  id: 'anthropic',
  name: 'Anthropic',
  crawlers: ['Claude-SearchBot', 'Claude-User'],
}

export const CRAWLER_PROVIDERS: readonly CrawlerProvider[] = [GOOGLE, OPENAI, PERPLEXITY, MICROSOFT, ANTHROPIC]

export const PROVIDER_OF_ENGINE: Readonly<Record<EngineId, CrawlerProvider>> = {
  ai_overviews: GOOGLE,
  ai_mode: GOOGLE,
  chatgpt: OPENAI,
  perplexity: PERPLEXITY,
  gemini: GOOGLE,
  copilot: MICROSOFT,
  claude: ANTHROPIC,
}
