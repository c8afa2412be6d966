export const SEED = 'fernwick-2026'
/** Three windows of 28 days, so that a card can be found in one, held against the one before and measured in the one after. */
export const FIRST_DAY = '2026-08-24'
export const LAST_DAY = '2026-11-15'
export const DAY_COUNT = 84
/** The access log has the last of them. */
export const LOG_DAY_COUNT = 60

export const PROMPTS_WITH_TWO_SAMPLES = ['discovery-01', 'comparison-01', 'alternatives-01', 'pricing-01', 'brand-01']
export const ENGINES_ASKED_A_DAY = 2
export const FULL_SCAN_EVERY_DAYS = 7
export const DISABLED_SINCE_DAY: Readonly<Record<string, number>> = { 'discovery-13': 45, 'pricing-07': 57 }

export const NO_ANSWER_SHARE = { ai_overviews: 0.17, copilot: 0.012, claude: 0.008 }

export const MENTION_SHARE = {
  fernwick: { first: 0.36, last: 0.56 },
  halvorix: { first: 0.7, last: 0.68 },
  kestreldesk: { first: 0.58, last: 0.4 },
  zolmira: { first: 0.22, last: 0.5 },
  brindle: { first: 0.34, last: 0.33 },
  oakpulse: { first: 0.1, last: 0.14 },
  tessaro: { first: 0.07, last: 0.07 },
}
export const MENTION_SHARE_IN_FOCUS = 0.97
export const MENTION_FACTOR_BESIDE_FOCUS = 0.4

/** What an engine said of a brand yesterday makes it likelier today: what is left of a day's mood after a day, and how much of an answer is mood. */
export const MOOD = { keptADay: 0.8, part: 0.4 }
/** Rates of prompts wander, in log odds: how far, and what is left of it after a day. */
export const DRIFT = { spread: 0.45, keptADay: 0.97 }
/** An engine that gets a new model names the own brand more often from that day on, in log odds. */
export const MODEL_CHANGE = { engine: 'copilot', day: 70, before: 'atlas-4', after: 'atlas-5', shift: 0.7 }

/**
 * Cards that were marked done on the day `DONE_DAY`, by rule and target, with what became of it: from that day on the brand
 * is named in so many answers to the prompt. Without a share nothing changes.
 */
export const DONE_DAY = 56
export const DONE_CARDS = [
  { rule: 'competitors_named', target: 'discovery-11', ownShare: 0.65, verdict: 'improved' },
  { rule: 'competitors_named', target: 'alternatives-07', verdict: 'no_change' },
  { rule: 'negative_answers', target: 'brand-07', ownShare: 0.5, verdict: 'declined' },
  { rule: 'weak_engine', target: 'gemini', verdict: 'not_enough_data' },
]

export const WEAK_ENGINE = 'gemini'
export const WEAK_ENGINE_FACTOR = 0.5

export const WEAK_CATEGORY = 'How-to'
export const WEAK_CATEGORY_OWN_PROMPTS = ['howto-01', 'howto-04', 'howto-08']
export const WEAK_CATEGORY_OWN_SHARE = 0.3
export const WEAK_CATEGORY_COMPETITOR_FACTOR = 0.12

export const COMPETITOR_ONLY_PROMPTS = [
  'discovery-05',
  'discovery-11',
  'discovery-12',
  'alternatives-07',
  'alternatives-09',
]
export const COMPETITOR_ONLY_FACTOR = 1.25

export const NEGATIVE_PROMPTS = ['brand-05', 'brand-06', 'brand-07', 'brand-08']
export const NEGATIVE_SHARE = 0.76
export const JUDGED_SHARE = { negativePrompts: 0.94, otherPrompts: 0.6 }
/** Of the answers of engines that tell what they searched for. */
export const SEARCHED_SHARE = 0.8
export const OTHER_SENTIMENT = { positive: 0.5, neutral: 0.4, negative: 0.1 }

export const MISSED_SOURCES = [
  {
    url: 'https://www.techradar.com/best/best-customer-support-software',
    title: 'Best customer support software of 2026',
    categories: ['Discovery', 'Alternatives', 'Pricing'],
    share: 0.3,
  },
  {
    url: 'https://www.g2.com/categories/help-desk',
    title: 'Best Help Desk Software: User Reviews from 2026',
    categories: ['Discovery', 'Comparison', 'Alternatives'],
    share: 0.26,
  },
  {
    url: 'https://www.reddit.com/r/CustomerSuccess/comments/1n7k2qd/what_helpdesk_are_you_actually_happy_with/',
    title: 'What helpdesk are you actually happy with? : r/CustomerSuccess',
    categories: ['Discovery', 'Alternatives'],
    share: 0.26,
  },
]
export const OWN_CITATION_SHARE = { named: 0.46, notNamed: 0.05 }
export const OWN_CITATION_FACTOR_BESIDE_MISSED_SOURCE = 0.12

export const LOST_OWN_PAGES = [
  'https://www.fernwick.example/guides/helpdesk-buying-guide',
  'https://www.fernwick.example/blog/shared-inbox-best-practices',
]
export const LAST_DAY_OF_LOST_PAGES = 55

export const BROKEN_PATHS = [
  { path: '/docs/api/webhooks', status: 404, errorShare: 0.9, hitsADay: 5 },
  { path: '/docs/api/authentication', status: 404, errorShare: 0.85, hitsADay: 4 },
  { path: '/docs/api/rate-limits', status: 500, errorShare: 0.8, hitsADay: 4 },
]
export const ABSENT_CRAWLERS = ['PerplexityBot', 'Perplexity-User']
export const SPOOFED_SHARE = 0.04
