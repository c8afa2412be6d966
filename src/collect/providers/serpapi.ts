import { toSearchPages } from './search-pages.ts'

/** SerpApi: Google's AI Overview and AI Mode, Bing's Copilot. Its cache would give the answer of an hour ago. */
export const serpapi = toSearchPages({
  id: 'serpapi',
  name: 'SerpApi',
  secret: { in: 'query', name: 'api_key' },
  defaultBaseUrl: 'https://serpapi.com',
  path: '/search.json',
  always: { no_cache: 'true' },
  toLanguage: (language) => language.toLowerCase(),
  terms: 'Reads the public pages of search engines; their terms and its own apply. https://serpapi.com/legal',
  limits: { concurrency: 16, perMinute: 16 },
})
