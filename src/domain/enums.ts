/** The closed lists of the API's contract, in its order; the order is also the tie-breaking order where a report sorts by one. */
export const ENGINE_IDS = ['ai_overviews', 'ai_mode', 'chatgpt', 'perplexity', 'gemini', 'copilot', 'claude'] as const
export type EngineId = (typeof ENGINE_IDS)[number]

export const CATEGORIES = ['Discovery', 'Comparison', 'Alternatives', 'How-to', 'Pricing', 'Brand'] as const
export type Category = (typeof CATEGORIES)[number]

export const PROMPT_STATUSES = ['active', 'disabled'] as const
export type PromptStatus = (typeof PROMPT_STATUSES)[number]

export const COMPETITOR_SOURCES = ['onboarding', 'discovered', 'manual'] as const
export type CompetitorSource = (typeof COMPETITOR_SOURCES)[number]

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const
export type Sentiment = (typeof SENTIMENTS)[number]

export const OWNERS = ['own', 'competitor', 'third_party'] as const
export type Owner = (typeof OWNERS)[number]

export const SOURCE_KINDS = [
  'forum',
  'video',
  'review',
  'roundup',
  'editorial',
  'marketplace',
  'reference',
  'social',
  'publishing',
  'recipe',
  'brand',
  'unknown',
] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

export const BOT_TYPES = ['ai_assistant', 'ai_training', 'index', 'ai_agent'] as const
export type BotType = (typeof BOT_TYPES)[number]

export const PAGE_TYPES = [
  'blog_editorial',
  'product_page',
  'docs_support',
  'landing_page',
  'brand_about',
  'pricing',
  'ugc_page',
  'technical_infra',
  'other',
] as const
export type PageType = (typeof PAGE_TYPES)[number]

export const KEY_PERMISSIONS = ['read', 'write'] as const
export type KeyPermission = (typeof KEY_PERMISSIONS)[number]

export const PLANS = ['enterprise', 'pro', 'free'] as const
export type Plan = (typeof PLANS)[number]

export const PLAN_STATUSES = ['live', 'lapsed'] as const
export type PlanStatus = (typeof PLAN_STATUSES)[number]

export const SCAN_STATUSES = ['complete', 'partial', 'failed', 'running'] as const
export type ScanStatus = (typeof SCAN_STATUSES)[number]

/** Whom `scan` asks: the engines' vendors, services that read engines' pages, and any gateway that speaks OpenAI's API. */
export const PROVIDER_IDS = [
  'openai',
  'anthropic',
  'gemini',
  'perplexity',
  'searchapi',
  'serpapi',
  'dataforseo',
  'brightdata',
  'oxylabs',
  'custom',
] as const
export type ProviderId = (typeof PROVIDER_IDS)[number]
