import type { EngineId } from '../../domain/enums.ts'

/** The engine whose page a scraped answer came from; undefined for a page of none. */
export function engineOfUrl(url: string | undefined): EngineId | undefined {
  const page = url === undefined ? null : URL.parse(url)
  if (!page) return undefined
  const host = page.hostname.replace(/^www\./, '')
  if (/^google\.(?:[a-z]{2,3}|co\.[a-z]{2}|com\.[a-z]{2})$/.test(host)) {
    const isAiMode = page.pathname.startsWith('/aimode') || page.pathname.startsWith('/ai') || hasUdm50(page)
    return isAiMode ? 'ai_mode' : 'ai_overviews'
  }
  return ENGINES.get(host)
}

/** Google marks its AI Mode tab so. */
function hasUdm50(page: URL): boolean {
  return page.searchParams.get('udm') === '50'
}

const ENGINES: ReadonlyMap<string, EngineId> = new Map([
  ['chatgpt.com', 'chatgpt'],
  ['chat.openai.com', 'chatgpt'],
  ['perplexity.ai', 'perplexity'],
  ['gemini.google.com', 'gemini'],
  ['copilot.microsoft.com', 'copilot'],
  ['claude.ai', 'claude'],
])
