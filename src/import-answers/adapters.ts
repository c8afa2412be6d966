import type { Adapter } from './adapters/adapter.ts'
import { anthropicMessages } from './adapters/anthropic-messages.ts'
import { brightdata } from './adapters/brightdata.ts'
import { dataforseo } from './adapters/dataforseo.ts'
import { gemini } from './adapters/gemini.ts'
import { openaiResponses } from './adapters/openai-responses.ts'
import { oxylabs } from './adapters/oxylabs.ts'
import { perplexity } from './adapters/perplexity.ts'
import { profound } from './adapters/profound.ts'
import { searchapi } from './adapters/searchapi.ts'
import { serpapiAiMode } from './adapters/serpapi-ai-mode.ts'
import { serpapiAiOverview } from './adapters/serpapi-ai-overview.ts'
import { xai } from './adapters/xai.ts'

/** Every payload format but the native one, in the order of contract/imports 2.2. */
const OWN_ADAPTERS = [
  openaiResponses,
  anthropicMessages,
  gemini,
  perplexity,
  xai,
  serpapiAiOverview,
  serpapiAiMode,
  searchapi,
  dataforseo,
  brightdata,
  oxylabs,
  profound,
] as const

export const ADAPTERS: readonly Adapter[] = OWN_ADAPTERS

/** Values of `--format` beside `auto`. */
export const ANSWER_FORMATS = ['native', ...OWN_ADAPTERS.map((adapter) => adapter.format)] as const
export type AnswerFormat = (typeof ANSWER_FORMATS)[number]
