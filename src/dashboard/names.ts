import type { Schemas } from '../client/client.ts'
import type { ViewName } from './url-state.ts'

/** The engines as their vendors write them, in the API's order. */
export const ENGINE_NAMES: Readonly<Record<Schemas['EngineId'], string>> = {
  ai_overviews: 'Google AI Overviews',
  ai_mode: 'Google AI Mode',
  chatgpt: 'ChatGPT',
  perplexity: 'Perplexity',
  gemini: 'Gemini',
  copilot: 'Copilot',
  claude: 'Claude',
}

export const ENGINE_IDS = Object.keys(ENGINE_NAMES) as readonly Schemas['EngineId'][]

/** The categories of prompts, in the API's order. */
export const CATEGORIES: readonly Schemas['Category'][] = [
  'Discovery',
  'Comparison',
  'Alternatives',
  'How-to',
  'Pricing',
  'Brand',
]

/** The views as the menu and the page's heading name them. */
export const VIEW_TITLES: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  visibility: 'Visibility',
  prompts: 'Prompts',
  answers: 'Answers',
  sources: 'Sources',
  competitors: 'Competitors',
  tone: 'Tone',
  crawlers: 'Crawlers',
  visitors: 'Visitors',
  actions: 'Actions',
  scan: 'Scan',
}

/** The parts of the settings: `/settings/members`. */
export const SETTINGS = {
  sites: { title: 'Sites', forOwners: false },
  members: { title: 'Members', forOwners: true },
  access: { title: 'API and AI assistants', forOwners: true },
  data: { title: 'Imports and storage', forOwners: false },
  audit: { title: 'Audit log', forOwners: true },
  account: { title: 'Your sessions', forOwners: false },
} as const
export type SettingsPart = keyof typeof SETTINGS

/** Whose a source is. */
export const OWNER_NAMES: Readonly<Record<Schemas['Owner'], string>> = {
  own: 'Yours',
  competitor: 'Competitor',
  third_party: 'Third party',
}

/** What sort of site a source is. */
export const SOURCE_KIND_NAMES: Readonly<Record<Schemas['SourceKind'], string>> = {
  forum: 'Forum',
  video: 'Video',
  review: 'Reviews',
  roundup: 'Roundup',
  editorial: 'Editorial',
  marketplace: 'Marketplace',
  reference: 'Reference',
  social: 'Social',
  publishing: 'Publishing',
  recipe: 'Recipes',
  brand: 'Brand',
  unknown: 'Not classified',
}

/** How an answer speaks of the own brand. Nobody having judged it is something else than neutral. */
export const TONE_NAMES = {
  negative: 'Negative',
  neutral: 'Neutral',
  not_judged: 'Not judged',
  positive: 'Positive',
} as const
export type Tone = keyof typeof TONE_NAMES
