import { defineGroup } from './command.ts'

export const sentiment = defineGroup({
  summary: 'How answers were judged, and judging them by a language model',
  commands: {
    import: async () => (await import('./sentiment-import.ts')).importSentiment,
    judge: async () => (await import('./sentiment-judge.ts')).judge,
    evaluate: async () => (await import('./sentiment-evaluate.ts')).evaluate,
  },
  examples: [
    'sentiment import --site acme.com judged.ndjson',
    'sentiment judge --site acme.com --from 2026-11-01 --to 2026-11-20 --budget 2',
    'sentiment evaluate --budget 1',
  ],
})
