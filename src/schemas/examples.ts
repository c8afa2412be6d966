/** Things that several endpoints show in their examples. */

const SITE_ID = 'site_0k7q4zj0z9y8x7w6v5t4s3r2q1'

export const SITE = {
  id: SITE_ID,
  name: 'Acme',
  domain: 'acme.com',
  created_at: '2026-09-01T08:00:00.000Z',
  platforms: ['ai_overviews', 'chatgpt', 'perplexity'],
  last_answer_scan: { date: '2026-11-20', status: 'complete' },
} as const

export const PROMPT = {
  id: 'prm_0k7q4zj0p1o2i3u4y5t6r7e8w9',
  text: 'What is the best project management tool for small teams?',
  category: 'Discovery',
  market: null,
  status: 'active',
  created_at: '2026-09-01T08:05:00.000Z',
  updated_at: '2026-09-01T08:05:00.000Z',
} as const

export const CARD = {
  id: 'act_0k7q4zj0q1w2e3r4t5y6u7i8op',
  title: 'Publish a pricing comparison',
  why: 'Named in 4 of 62 answers to pricing questions in the last 28 days.',
  detail: 'Publish one page that compares plans and prices, with a table that can be quoted.',
  category: 'content',
  impact: 'High',
  effort: 'medium',
  target_metric: 'mention',
  kind: 'one_off',
  cadence: null,
  period: null,
  status: 'open',
  target_prompts: [{ id: PROMPT.id, text: PROMPT.text }],
  target_platforms: ['chatgpt', 'perplexity'],
  target_url: 'https://acme.com/pricing',
  created_at: '2026-11-20T05:00:00.000Z',
  outcome: null,
} as const

export const RANGE = { site_id: SITE_ID, start_date: '2026-11-01', end_date: '2026-11-20' } as const

export const INFO = { ...RANGE, count: 1, total_results: 1, next_cursor: null } as const
