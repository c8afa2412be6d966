/** The sections of `methods.md`, by the anchors that its titles carry. */
export const METHODS = [
  'mention-rate',
  'citation-rate',
  'coverage',
  'share-of-voice',
  'score',
  'rank',
  'intervals',
  'reliability',
  'change',
  'quality',
  'answers',
  'citations',
  'tone',
  'crawlers',
  'visitors',
  'cards',
  'scan',
  'days',
] as const
export type Method = (typeof METHODS)[number]
