import type { Schemas } from '../../../client/client.ts'
import { pickKey } from '../../pick-key.ts'

/** What crawlers come for, as people say it. */
const BOT_TYPE_NAMES: Readonly<Record<Schemas['BotType'], string>> = {
  ai_training: 'Training data',
  index: 'Search index',
  ai_assistant: 'Asked by a person',
  ai_agent: 'Agent',
}

const PROVIDER_NAMES = new Map([
  ['openai', 'OpenAI'],
  ['bytedance', 'ByteDance'],
  ['commoncrawl', 'Common Crawl'],
  ['duckduckgo', 'DuckDuckGo'],
  ['xai', 'xAI'],
  ['deepseek', 'DeepSeek'],
  ['you', 'You.com'],
])

export function toBotTypeName(type: string): string {
  const known = pickKey(type, BOT_TYPE_NAMES)
  return known === undefined ? type : BOT_TYPE_NAMES[known]
}

/** A slug as a name; the list is open, so an unknown one begins with a capital. */
export const toProviderName = (slug: string): string =>
  PROVIDER_NAMES.get(slug) ?? slug.charAt(0).toUpperCase() + slug.slice(1)
