/** What `docs/api.md` asks of each endpoint, over the demo's data, which ends on 2026-11-15. */
export interface Sample {
  /** With its question mark. */
  readonly query?: string
  /** Without `site_id`. */
  readonly body?: object
  /** Shows only the beginning of the answer. */
  readonly bytes?: number
}

const WEEKS = { start_date: '2026-10-19', end_date: '2026-11-15' }

/** Null: the page shows the endpoint without an answer, because the demo has no data for it. */
export const API_SAMPLES: Readonly<Record<string, Sample | null>> = {
  getOpenApi: { bytes: 120 },
  getMe: {},
  listSites: {},
  getSite: {},
  getQuality: { query: '?start_date=2026-10-19&end_date=2026-11-15' },
  listCompetitors: {},
  listPlatforms: {},
  listPrompts: { query: '?category=Pricing&limit=2' },
  createPrompts: {
    body: {
      prompts: [
        { text: 'Best helpdesk software for ecommerce stores', category: 'Discovery' },
        { text: 'Which helpdesk works without a cloud?', category: 'Discovery', market: 'Canada' },
      ],
      dry_run: true,
    },
  },
  updatePrompts: {
    body: {
      prompts: [
        { id: 'discovery-01', market: 'Canada' },
        { id: 'no-such-prompt', market: null },
      ],
      dry_run: true,
    },
  },
  setPromptStatus: { body: { prompt_ids: ['discovery-01', 'discovery-02'], status: 'disabled', dry_run: true } },
  listActions: { query: '?status=done' },
  reportVisibility: {
    body: {
      ...WEEKS,
      brands: 'all',
      metrics: ['visibility_score', 'mention_rate', 'share_of_voice'],
      filter: { field: 'platform', op: 'in', value: ['chatgpt', 'perplexity'] },
      limit: 3,
    },
  },
  reportBots: { body: { ...WEEKS, group_by: ['bot_name'], sort: { field: 'hits' }, limit: 3 } },
  reportReferrals: {
    body: { ...WEEKS, timezone: 'Europe/Berlin', group_by: ['referral_source'], sort: { field: 'visits' }, limit: 3 },
  },
  reportCitations: {
    body: {
      ...WEEKS,
      entity: 'page',
      filter: {
        and: [
          { field: 'owner', op: 'is', value: 'third_party' },
          { not: { field: 'source_kind', op: 'in', value: ['forum', 'social'] } },
        ],
      },
      limit: 3,
    },
  },
  reportSentiment: { body: { ...WEEKS, group_by: ['category'], limit: 3 } },
  reportSearches: { body: { ...WEEKS, limit: 3 } },
  reportChanges: {
    body: {
      ...WEEKS,
      compare_start_date: '2026-09-21',
      compare_end_date: '2026-10-18',
      metric: 'mention_rate',
      group_by: ['platform'],
      limit: 3,
    },
  },
  listAnswers: {
    body: {
      ...WEEKS,
      platforms: ['claude'],
      include: ['date', 'prompt', 'brand_position', 'sentiment', 'mentions', 'citations'],
      limit: 1,
    },
  },
}
