import type { Schemas } from '../../api.ts'

/** What crawlers come for, as people say it. */
const BOT_TYPE_NAMES: Readonly<Record<Schemas['BotType'], string>> = {
  ai_training: 'Training data',
  index: 'Search index',
  ai_assistant: 'Asked by a person',
  ai_agent: 'Agent',
}

const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  bytedance: 'ByteDance',
  commoncrawl: 'Common Crawl',
  duckduckgo: 'DuckDuckGo',
  xai: 'xAI',
  deepseek: 'DeepSeek',
  you: 'You.com',
}

export const toBotTypeName = (type: string): string =>
  type in BOT_TYPE_NAMES ? BOT_TYPE_NAMES[type as Schemas['BotType']] : type

/** A slug as a name; the list is open, so an unknown one begins with a capital. */
export const toProviderName = (slug: string): string =>
  PROVIDER_NAMES[slug] ?? slug.charAt(0).toUpperCase() + slug.slice(1)
