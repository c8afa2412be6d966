import type { ProviderId } from '../../domain/enums.ts'
import { anthropic } from './anthropic.ts'
import { brightdata } from './brightdata.ts'
import { custom } from './custom.ts'
import { dataforseo } from './dataforseo.ts'
import { gemini } from './gemini.ts'
import { openai } from './openai.ts'
import { oxylabs } from './oxylabs.ts'
import { perplexity } from './perplexity.ts'
import type { Provider } from './provider.ts'
import { searchapi } from './searchapi.ts'
import { serpapi } from './serpapi.ts'

const PROVIDERS: readonly Provider[] = [
  openai,
  anthropic,
  gemini,
  perplexity,
  searchapi,
  serpapi,
  dataforseo,
  brightdata,
  oxylabs,
  custom,
]

/** Everyone who can be asked, in the order of `scan targets`. */
export function listProviders(): readonly Provider[] {
  return PROVIDERS
}

/** Throws an Error for one that isn't there. */
export function getProvider(id: ProviderId): Provider {
  const provider = PROVIDERS.find((each) => each.id === id)
  if (provider === undefined) throw new Error(`there is no provider ${id}`)
  return provider
}
