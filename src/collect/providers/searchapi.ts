import { toSearchPages } from './search-pages.ts'

/** SearchApi.io: Google's AI Overview and AI Mode, Bing's Copilot. */
export const searchapi = toSearchPages({
  id: 'searchapi',
  name: 'SearchApi.io',
  secret: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  defaultBaseUrl: 'https://www.searchapi.io/api/v1',
  path: '/search',
  always: {},
  toLanguage: (language) => language,
  terms:
    'Reads the public pages of search engines; their terms and its own apply. https://www.searchapi.io/legal/terms',
  limits: { concurrency: 16, perMinute: 30 },
})
