import type { Dataset } from '../domain/manifest.ts'

/** Data sets that change together: answers with what is derived from them, and the server logs. */
export const DATASET_GROUPS = {
  answers: ['answers', 'no_answers', 'mentions', 'citations', 'hosts', 'pages', 'judgements'],
  logs: ['bot_hits', 'bot_rollup', 'bot_page_types', 'bot_months', 'visits', 'paths'],
} as const satisfies Record<string, readonly Dataset[]>

export type DatasetGroup = keyof typeof DATASET_GROUPS
