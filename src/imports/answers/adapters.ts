import type { Adapter } from './adapter.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { brightdata } from './brightdata.ts'
import { dataforseo } from './dataforseo.ts'
import { gemini } from './gemini.ts'
import { openaiResponses } from './openai-responses.ts'
import { oxylabs } from './oxylabs.ts'
import { perplexity } from './perplexity.ts'
import { profound } from './profound.ts'
import { searchapi } from './searchapi.ts'
import { serpapiAiMode } from './serpapi-ai-mode.ts'
import { serpapiAiOverview } from './serpapi-ai-overview.ts'
import { xai } from './xai.ts'

/** Every payload format but the native one, in the order of formats.md 2.2. */
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
